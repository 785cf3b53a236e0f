/** `countersign coding-agent`: the agents that write code, what starts each, and the one service that it may reach. */
import { type CodingAgent, CodingAgents, CountersignError, errorCatalogue } from '@countersign/contract'
import { isSettings, readSettings, replaceFile, type Settings } from '@countersign/contract/node'
import { settingProblems } from '@countersign/contract/settings'
import type { Context, Handler, OptionValues } from '../context.ts'
import { liveLeases } from '../leases.ts'
import { type CommandAnswer, done, failed } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { line } from '../output/safe-text.ts'

/** What is usual for those that we know; the operator names the model, and may name anything else. */
const known: Readonly<Record<string, Pick<CodingAgent, 'command' | 'endpoint' | 'protocol'>>> = {
  'claude-code': {
    command: ['claude-agent-acp'],
    endpoint: 'https://api.anthropic.com',
    protocol: 'anthropic',
  },
  codex: { command: ['codex-acp'], endpoint: 'https://api.openai.com/v1', protocol: 'openai' },
  'gemini-cli': {
    command: ['gemini', '--experimental-acp'],
    endpoint: 'https://generativelanguage.googleapis.com',
    protocol: 'google',
  },
  opencode: { command: ['opencode', 'acp'], endpoint: 'https://api.openai.com/v1', protocol: 'openai' },
  pi: { command: ['pi-acp'], endpoint: 'https://api.openai.com/v1', protocol: 'openai' },
}

export const list: Handler = async (context) => {
  const { config } = await context.paths()
  const agents = agentsIn(readSettings(config))
  const open = Object.keys(known).filter((name) => !Object.hasOwn(agents, name))
  return done({ agents, known: open }, () =>
    [
      Object.keys(agents).length === 0
        ? 'No coding agent is added.'
        : columns([
            ['Name', 'Command', 'Service', 'Model', 'Key'],
            ...Object.entries(agents).map(([name, agent]) => [
              name,
              line(agent.command.join(' ')),
              line(agent.endpoint),
              line(agent.model),
              agent.key ?? 'none',
            ]),
          ]),
      '',
      `Known, and not added: ${open.join(', ') || 'none'}. Add one: \`countersign coding-agent add --help\`.`,
    ].join('\n'),
  )
}

export const add: Handler = async (context, [name = '', ...words], options) => {
  const { config } = await context.paths()
  const before = readSettings(config)
  const had = agentsIn(before)[name] ?? known[name]
  const wanted = { ...had, ...givenIn(options), ...(words.length > 0 ? { command: words } : {}) }
  const after = withAgents(before, { ...rawAgents(before), [name]: wanted })
  const problems = settingProblems(after)
  if (problems.length > 0)
    return failed({
      type: 'usage',
      message: problems.map(line).join('\n'),
      next: 'An agent needs a command, --endpoint, --protocol and --model: `countersign coding-agent add --help`.',
      exit: errorCatalogue.usage.exit,
    })
  const agent = agentsIn(after)[name]
  const notes = [
    ...(agent?.key === undefined
      ? []
      : [
          `Give it the key if it has none: \`countersign secret set ${agent.key} --host ${new URL(agent.endpoint).hostname}\`.`,
        ]),
    ...(agent?.prices === undefined
      ? ['Without --prices no cost is known, and max_budget_usd stops nothing.']
      : []),
    'The group must be on: `countersign tool enable codingAgents`.',
  ]
  return written(context, config, after, `${name} is added.`, notes)
}

export const remove: Handler = async (context, [name = '']) => {
  const { config } = await context.paths()
  const before = readSettings(config)
  const { [name]: gone, ...others } = rawAgents(before)
  if (gone === undefined)
    throw new CountersignError('not_found', `There is no coding agent ${name}.`, {
      next: 'See them with `countersign coding-agent list`.',
    })
  return written(context, config, withAgents(before, others), `${name} is removed.`, [])
}

async function written(
  context: Context,
  file: string,
  settings: Settings,
  said: string,
  notes: readonly string[],
): Promise<CommandAnswer> {
  replaceFile(file, `${JSON.stringify(settings, null, 2)}\n`)
  const restart = liveLeases(await context.paths()).length > 0
  return done({ agents: agentsIn(settings), file, changed: true, restart }, () =>
    [
      said,
      ...notes,
      restart
        ? 'The gateway runs with the old settings. Restart it: `countersign down`, then `countersign up`.'
        : 'The next start of the gateway uses it.',
    ].join('\n'),
  )
}

function givenIn(options: OptionValues): Record<string, unknown> {
  const texts = ['endpoint', 'protocol', 'model', 'key', 'folder'].flatMap((option) => {
    const value = options[option]
    return typeof value === 'string' ? [[option, value] as const] : []
  })
  const [input, output] = String(options['prices'] ?? '').split(',')
  const prices = output === undefined ? {} : { prices: { input: Number(input), output: Number(output) } }
  return { ...Object.fromEntries(texts), ...prices }
}

function rawAgents(settings: Settings): Record<string, unknown> {
  const agents = settings['codingAgents']
  return isSettings(agents) ? { ...agents } : {}
}

function agentsIn(settings: Settings): CodingAgents {
  const read = CodingAgents.safeParse(settings['codingAgents'] ?? {})
  return read.success ? read.data : {}
}

function withAgents(settings: Settings, agents: Record<string, unknown>): Settings {
  if (Object.keys(agents).length > 0) return { ...settings, codingAgents: agents }
  const { codingAgents: _gone, ...others } = settings
  return others
}
