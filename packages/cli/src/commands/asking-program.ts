/** `countersign program`: other programs that ask by a token. A token is shown once, and kept by nobody here. */
import {
  type ChangeProgram,
  CountersignError,
  type KnownProgram,
  type PeerLimits,
  ProgramName,
  ProgramRole,
} from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Context, Handler, OptionValues } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { money } from '../output/money.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { ago } from '../output/time.ts'
import { limitsOf, limitsText } from './peer-limits.ts'

export const list: Handler = async (context) => {
  const programs = await (await context.gateway()).client.programs()
  return done({ programs }, () => {
    if (programs.length === 0)
      return 'No program yet. Let one ask with `countersign program add home-assistant`.'
    const rows = programs.map((program) => [
      line(program.name),
      program.agents.map(line).join(', '),
      standingWords(program),
      usedWords(context, program),
      limitsText(program.limits),
    ])
    return table(['Program', 'Asks', 'Stands as', 'Last asked', 'Limits'], rows, context.width())
  })
}

export const show: Handler = async (context, [name = '']) => {
  const program = await programNamed((await context.gateway()).client, name)
  return done({ program }, () => programText(context, program))
}

export const add: Handler = async (context, [name = ''], options) => {
  if (!ProgramName.safeParse(name).success)
    return usage(
      `${line(name)} is not a name for a program: lower case letters, digits, - and _, as in home-assistant.`,
      'program add',
    )
  const wanted = wantedIn(options)
  if (typeof wanted === 'string') return usage(wanted, 'program add')
  const gateway = await context.gateway()
  const { program, token, ledger } = await gateway.client.addProgram({ name, ...wanted })
  return done({ program, token, ledger }, () =>
    [
      `${line(name)} may ask.${ledgerMark(ledger)}`,
      ...tokenLines(token),
      columns([
        [
          'OpenAI API',
          `${gateway.url}/openai/v1, with ${program.agents.map(line).join(' or ')} as the model`,
        ],
        ['MCP', `${gateway.url}/mcp, or \`countersign mcp serve\``],
        ['Limits', limitsText(program.limits)],
      ]),
      ...privateNote(program),
    ].join('\n'),
  )
}

export const limit: Handler = async (context, [name = ''], options) => {
  const wanted = wantedIn(options)
  if (typeof wanted === 'string') return usage(wanted, 'program limit')
  if (Object.keys(wanted).length === 0)
    return usage(
      'Say what to change: --agent, --as, --private, --tools, --tier, --daily-usd, --hours or --messages-per-hour.',
      'program limit',
    )
  const { client } = await context.gateway()
  const { program, ledger } = await client.changeProgram(name, wanted)
  return done({ program, ledger }, () =>
    [`Changed ${line(name)}.${ledgerMark(ledger)}`, programText(context, program)].join('\n'),
  )
}

export const pause: Handler = async (context, [name = '']) => {
  const { program, ledger } = await (await context.gateway()).client.changeProgram(name, { paused: true })
  return done(
    { program, ledger },
    `Paused ${line(name)}, and ended what it began.${ledgerMark(ledger)}\nLet it ask again with \`countersign program resume ${line(name)}\`.`,
  )
}

export const resume: Handler = async (context, [name = '']) => {
  const { program, ledger } = await (await context.gateway()).client.changeProgram(name, { paused: false })
  return done({ program, ledger }, `${line(name)} may ask again.${ledgerMark(ledger)}`)
}

export const rotate: Handler = async (context, [name = '']) => {
  const { program, token, ledger } = await (await context.gateway()).client.rotateProgram(name)
  return done({ program, token, ledger }, () =>
    [
      `${line(name)} has another token. The one before is worth nothing.${ledgerMark(ledger)}`,
      ...tokenLines(token),
    ].join('\n'),
  )
}

export const revoke: Handler = async (context, [name = '']) => {
  const { ledger } = await (await context.gateway()).client.revokeProgram(name)
  return done({ name, ledger }, `${line(name)} may not ask any more.${ledgerMark(ledger)}`)
}

const tokenLines = (token: string): string[] => [
  '',
  `  ${line(token)}`,
  '',
  'This token is shown once. Whoever has it is this program.',
]

function programText(context: Context, program: KnownProgram): string {
  return columns([
    ['Asks', program.agents.map(line).join(', ')],
    ['Stands as', standingWords(program)],
    ['Hears', program.private ? 'also what may be private' : 'only what is public'],
    ['Limits', limitsText(program.limits)],
    ['Token', `ends in ${line(program.tokenEnd)}`],
    ['Added', `${ago(program.createdAt, context.moment())} by ${line(program.createdBy)}`],
    ['Last asked', usedWords(context, program)],
    ['Today', money(program.spentUsd)],
  ])
}

/** The assistant knows what is private from its first word. */
function privateNote({ name, agents, private: hears }: KnownProgram): string[] {
  if (hears || agents.every((agent) => agent === 'reception')) return []
  return [
    `Answers that may hold something private are not given to it. Open that with \`countersign program limit ${line(name)} --private on\`.`,
  ]
}

const standingWords = ({ role, paused }: KnownProgram): string => (paused ? 'paused' : role)

const usedWords = (context: Context, { lastUsedAt }: KnownProgram): string =>
  lastUsedAt === null ? 'never' : ago(lastUsedAt, context.moment())

/** What was given; a sentence where it cannot be. */
function wantedIn(
  options: OptionValues,
): (Omit<ChangeProgram, 'limits'> & { limits?: Partial<PeerLimits> }) | string {
  const limits = limitsOf(options)
  if (typeof limits === 'string') return limits
  const { agent, as: role, private: hears } = options
  const known = ProgramRole.optional().safeParse(role)
  if (!known.success) return '--as: choose from guest and trusted.'
  if (hears !== undefined && hears !== 'on' && hears !== 'off') return '--private: say on or off.'
  return {
    ...(typeof agent === 'string' ? { agents: agent.split('\0') } : {}),
    ...(known.data === undefined ? {} : { role: known.data }),
    ...(hears === undefined ? {} : { private: hears === 'on' }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  }
}

async function programNamed(client: Client, name: string): Promise<KnownProgram> {
  const program = (await client.programs()).find((each) => each.name === name)
  if (program) return program
  throw new CountersignError('not_found', `There is no program ${line(name)}.`, {
    next: 'See them with `countersign program list`.',
  })
}
