/**
 * Judges every command through every door, at every level. What is only text is run where it is free, to see that nothing
 * reads it; what a program reads is run over its view, to see that nothing comes of it before it is taken over.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { type ExecBench, isFree, isHeldLook, type Judgement, levels } from './bench.ts'
import { type Command, commandFor, roughFamily } from './commands.ts'
import { type Door, doors, gitOptions } from './doors.ts'
import { wrappers } from './wrappers.ts'

export interface ExecPart {
  readonly n: number
  readonly wrong: string[]
  readonly details: Record<string, unknown>
}

/** Every command, handed on in every way, to the shell. */
export async function judgeShell(
  bench: ExecBench,
  commands: readonly Command[],
  options: { count: number; random: Random },
): Promise<ExecPart> {
  const [shell] = doors
  if (shell?.tool !== 'execute_shell') throw new Error('the first door is the shell')
  const pairs = commands.flatMap((command) => Object.values(wrappers).map((wrap) => ({ command, wrap })))
  const chosen = options.random.shuffle(pairs).slice(0, options.count)
  const tally = createTally()
  for (const [index, { command, wrap }] of chosen.entries()) {
    const text = wrap(commandFor(command, { name: `shell${index}`, port: bench.port }))
    tally.add(shell, text, await bench.judge(shell.tool, shell.args(text)))
    if (bench.isMarked(`shell${index}`)) tally.wrong.push(`ran while it was judged: ${text.slice(0, 100)}`)
  }
  return {
    n: tally.judged(),
    wrong: tally.wrong,
    details: { shellCommands: chosen.length, shell: tally.figures },
  }
}

/** Of each door: a program takes a second or so. */
const mostLooks = 8

/** Every command through every door. */
export async function judgeDoors(
  bench: ExecBench,
  commands: readonly Command[],
  options: { count: number; runs: number; random: Random },
): Promise<ExecPart> {
  const tally = createTally()
  const ran: Record<string, number> = {}
  const looked: Record<string, number> = {}
  let mark = 0
  for (const door of doors) {
    const texts = options.random.shuffle(commands).slice(0, options.count)
    const inputs = texts.map((command) => ({
      text: (name: string) => commandFor(command, { name, port: bench.port }),
      isGentle: command.family !== roughFamily && command.family !== 'long',
    }))
    const isGit = door.tool.startsWith('git_')
    if (isGit)
      inputs.unshift(
        ...gitOptions.map((option) => ({
          text: (name: string) => option.replaceAll('MARK', name),
          isGentle: true,
        })),
      )
    for (const { text: input, isGentle } of inputs) {
      const name = `door${mark++}`
      const text = input(name)
      const judged = await bench.judge(door.tool, door.args(text))
      tally.add(door, text, judged)
      if (door.kind === 'read' && isGentle && (looked[door.name] ?? 0) < Math.min(options.runs, mostLooks)) {
        for (const judgement of judged.filter(isHeldLook)) await bench.look(judgement)
        looked[door.name] = (looked[door.name] ?? 0) + 1
        if (bench.isMarked(name))
          tally.wrong.push(`${door.name}: nothing was taken over, and ${JSON.stringify(text)} left its mark`)
      }
      if (door.kind !== 'inert' || (ran[door.name] ?? 0) >= options.runs) continue
      for (const judgement of judged) {
        if (!isFree(judgement.decisions.full)) continue
        if (door.tool === 'git_commit') {
          appendFileSync(join(bench.repository, 'file.txt'), 'more\n')
          bench.git(['add', '.'])
        }
        await bench.run(judgement)
        ran[door.name] = (ran[door.name] ?? 0) + 1
      }
      if (bench.isMarked(name))
        tally.wrong.push(`${door.name}: something ran ${JSON.stringify(text.slice(0, 100))}`)
    }
  }
  return {
    n: tally.judged(),
    wrong: tally.wrong,
    details: { doors: tally.figures, ranAsText: ran, ranOverView: looked },
  }
}

/** What a call with a sure answer is told, and that a command which was approved does leave its mark. */
export async function judgeControls(bench: ExecBench): Promise<ExecPart> {
  const wrong: string[] = []
  const kindsOf = async (tool: string, args: Parameters<ExecBench['judge']>[1]) => {
    const [judgement] = await bench.judge(tool, args)
    return { judgement, kinds: levels.map((level) => judgement?.decisions[level].kind).join(' ') }
  }
  // At the level low a change asks, and the memory of grants says here that it was granted.
  const free = 'ask allow allow allow allow'
  for (const [tool, args, kinds] of [
    ['git_status', { path: 'repository' }, free],
    ['git_log', { path: 'repository' }, free],
    ['list_directory', {}, free],
    ['use_tool', { tool: 'git_status', args: { path: 'repository' } }, free],
    ['write_file', { path: 'note.txt', content: 'x' }, free],
    ['git_branch', { action: 'create', name: 'side', path: 'repository' }, free],
    ['execute_shell', { command: 'touch approved' }, free],
  ] as const) {
    const found = await kindsOf(tool, args)
    if (found.kinds !== kinds) wrong.push(`the control ${tool} is judged ${found.kinds}`)
    const reply = found.judgement && (await bench.run(found.judgement))
    if (reply?.kind !== 'done' || !reply.result.ok) wrong.push(`the control ${tool} did not run`)
  }
  const [looking] = await bench.judge('execute_shell', { command: 'touch looked' })
  if (looking) await bench.look(looking)
  if (!looking || bench.isMarked('looked')) wrong.push('what a look changed is in the workspace')
  const installing = { manager: 'npm', action: 'install', packages: ['left-pad'] }
  const [install] = await bench.judge('package_manager', installing)
  if (!install) wrong.push('an honest package is refused, so the refusal of others means nothing')
  else if (levels.some((level) => isFree(install.decisions[level])))
    wrong.push('a package is installed unasked')
  if (!bench.isMarked('approved')) wrong.push('a command that was approved left no mark')
  return { n: 9, wrong, details: {} }
}

function createTally() {
  const wrong: string[] = []
  const figures: Record<string, { judged: number; refused: number; free: number }> = {}
  return {
    wrong,
    figures,
    judged: () => Object.values(figures).reduce((sum, { judged, refused }) => sum + judged + refused, 0),
    add(door: Door, text: string, judgements: readonly Judgement[]): void {
      const figure = (figures[door.name] ??= { judged: 0, refused: 0, free: 0 })
      if (judgements.length === 0) figure.refused += 1
      for (const judgement of judgements) {
        figure.judged += levels.length
        const free = levels.filter((level) => isFree(judgement.decisions[level]))
        figure.free += free.length
        const said = `${door.name} ${JSON.stringify(text.slice(0, 100))}`
        if (door.kind === 'asked' && free.length > 0) wrong.push(`${said}: free at ${free.join(', ')}`)
        if (door.kind === 'read') wrong.push(...unguarded(judgement).map((why) => `${said}: ${why}`))
      }
    },
  }
}

/** What holds of a command that something reads: each line of defence on its own. */
function unguarded(judgement: Judgement): string[] {
  const { unviewed, isGrantable } = judgement
  const allowed = levels.filter((level) => unviewed[level].kind === 'allow')
  return [
    ...(isHeldLook(judgement) ? [] : ['it can do more than look, and nothing of it is held']),
    ...(allowed.length > 0 ? [`without a view policy allows it at ${allowed.join(', ')}`] : []),
    ...(isGrantable ? ['a grant could cover it'] : []),
  ]
}
