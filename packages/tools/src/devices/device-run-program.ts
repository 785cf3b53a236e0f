/**
 * Runs one program on a node, in its sandbox: the shared folder and no network. A program that reads another program
 * from its arguments, such as a shell, is refused until the call says so itself, because then the card does too.
 */
import { posix } from 'node:path'
import { z } from 'zod'
import { clipped } from '../code/clip.ts'
import { defineTool, perMinute } from '../definition.ts'
import { failed, succeeded } from '../result.ts'
import { commandText, pathText } from '../text.ts'
import { foundOnNode, nodeInput, nodeOutput, readyNode, seeInFolder } from './device-effects.ts'
import { otherComputer } from './device-tool.ts'
import type { NodeProgramEnd } from './node-capabilities.ts'

const longestSeconds = 600

export const deviceRunProgram = defineTool({
  name: 'device_run_program',
  version: '1',
  description:
    'Run a program on another computer of the operator, in a sandbox that sees its shared folder and no network.',
  input: z.strictObject({
    ...nodeInput,
    argv: z
      .array(commandText(10_000))
      .min(1)
      .max(200)
      .describe('The program and its arguments; no shell reads them'),
    cwd: pathText.default('.').describe('In the shared folder'),
    stdin: z.string().max(100_000).default(''),
    timeout_seconds: z.int().min(1).max(longestSeconds).default(60),
    uninspectable: z.boolean().default(false).describe('True for a shell or an interpreter'),
  }),
  category: 'devices',
  group: 'devices',
  tags: [...otherComputer, 'command', 'shell', 'ssh'],
  effect: 'once',
  rate: perMinute(10),
  floor: 3,
  output: nodeOutput,
  runs: 'node',
  capability: 'shell',
  describe: ({ node, argv }) =>
    `Run ${(argv[0] ?? '').slice(0, 100).replaceAll(/\s+/g, ' ').trim()} on ${node}`,
  preview: ({ node, argv, cwd, stdin, timeout_seconds }) => ({
    kind: 'shell',
    command: [argv.map(quoted).join(' '), ...(stdin === '' ? [] : ['', stdin])].join('\n'),
    cwd,
    sandbox: `the sandbox of ${node}, without network, ${timeout_seconds} s at most`,
  }),
  async effects({ node, argv, cwd, uninspectable }, inspect) {
    const ready = await readyNode(node, 'shell', inspect)
    if ('kind' in ready) return ready
    const place = await seeInFolder({ path: cwd, links: 'refused' }, inspect.folder)
    if (place.kind !== 'seen') return place
    if (place.inspection.kind !== 'directory')
      return { kind: 'invalid', reason: `The working directory ${cwd} does not exist there.` }
    const [name = '', ...rest] = argv
    const program = await inspect.folder.program(name)
    if (!program)
      return {
        kind: 'unavailable',
        reason: `There is no program ${name} on ${node}.`,
        fix: `Install it there, under /usr.`,
      }
    const reader = isInterpreter(name) || isInterpreter(program.path)
    if (reader && !uninspectable)
      return {
        kind: 'invalid',
        reason: `${name} runs what its arguments or files say. Ask with uninspectable: true, or run the program itself.`,
      }
    const object = [program.path, ...rest].map(quoted).join(' ')
    const thing = { capability: 'shell', op: 'run', object, content: program.content } as const
    const told = uninspectable ? `${object} (what it does cannot be listed beforehand)` : object
    return foundOnNode({ node }, inspect, thing, { verb: 'execute', object: told, reversible: false })
  },
  async run({ node, argv, cwd, stdin, timeout_seconds }, { programs }, signal) {
    const timeoutMs = timeout_seconds * 1000
    const outcome = await programs.run({ argv, cwd, stdin, timeoutMs, signal })
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const said = [outcome.stdout, outcome.stderr && `[stderr]\n${outcome.stderr}`]
    const text = clipped(said.filter((part) => part !== '').join('\n'), outcome.truncated)
    const end = `${endOf(outcome, timeout_seconds)}, ${outcome.durationMs} ms`
    const whole = [text, `[${end}]`].filter((part) => part !== '').join('\n')
    const isDone = outcome.end.kind === 'exited' && outcome.end.code === 0
    const summary = isDone ? `Ran ${argv[0]} on ${node}` : `${argv[0]} on ${node}: ${end}`
    return { ...succeeded(whole, summary), ok: isDone }
  },
})

function endOf({ end }: NodeProgramEnd, seconds: number): string {
  if (end.kind === 'exited') return `exit ${end.code}`
  return end.why === 'timeout' ? `stopped after ${seconds} s` : 'cancelled'
}

/** As a shell would want it, so that a reader sees where a word ends. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

const interpreters =
  /^(?:(?:ba|da|z|fi|k|c|tc|a)?sh|busybox|env|xargs|find|make|node|deno|bun|python|perl|ruby|php|lua|awk|gawk|mawk|sed|tclsh|expect|pwsh|powershell|cmd|osascript|nohup|timeout|sudo|su|ssh|git)[\d.]*(?:\.exe)?$/

/** A name for the card, and no boundary: whatever is run there needs a device of the operator's. */
function isInterpreter(program: string): boolean {
  return interpreters.test(posix.basename(program))
}
