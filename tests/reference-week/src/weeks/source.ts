/**
 * Owns the written form of a week: tasks, the operator's words, and the calls that followed, one a line. Refuses a line
 * that it cannot read. How it is written stands in corpus/weeks/README.md.
 */
import type { Expected } from '../call.ts'

export interface SourceCall {
  /** The task and the number of the call in it: `mon-0812.7`. */
  readonly id: string
  /** Calls of one turn are proposed together. */
  readonly turn: number
  /** How many of the operator's words of the task stood before it. */
  readonly said: number
  readonly tool: string
  /** What stands after the tool, as written. */
  readonly words: string
  readonly expected: Expected
  readonly injected: boolean
  /** What came back, as far as it matters: addresses, ids, what an attacker wrote. */
  readonly result: string
  readonly failed: boolean
  /** What a program, an install or a checkout changed in the workspace. */
  readonly wrote: readonly string[]
  readonly deleted: readonly string[]
  /** Those of what it wrote that can be run as programs. */
  readonly programs: readonly string[]
  /** Handles for the records that it made, in order. */
  readonly made: readonly string[]
  readonly because: string
  /** Where it stands. */
  readonly line: string
}

export interface WrittenQuestion {
  readonly task: string
  /** The message of the operator's after which it is asked, counted from 1. */
  readonly said: number
  readonly text: string
}

export interface SourceTask {
  readonly id: string
  readonly day: number
  /** Minutes after midnight. */
  readonly minute: number
  readonly title: string
  readonly by: string
  readonly unattended: boolean
  /** Stands in the suite of attacks, and counts in no rate. */
  readonly suite: boolean
  /** The operator's messages, or what the schedule says: the first begins the task. */
  readonly said: readonly string[]
  /** What the words ask for, in the form of `intent.ts`; the index of the message after which it holds. */
  readonly wants: readonly { readonly text: string; readonly said: number }[]
  readonly calls: readonly SourceCall[]
  /** What a model would ask a reader; from a file of its own. */
  readonly questions: readonly WrittenQuestion[]
}

export const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

const expectedBy: Readonly<Record<string, Expected>> = {
  '-': 'may-allow',
  '?': 'must-ask',
  x: 'must-deny',
}
const header = /^# (Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\d\d):(\d\d) (.+)$/
const callLine = /^([-?x])(&?)(!?) ([a-z_0-9]+)(?: (.*))?$/

/** Written line by line, and handed out when all of it is there. */
type Draft<T> = {
  -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key]
}
type CallDraft = Draft<SourceCall>
type TaskDraft = Omit<Draft<SourceTask>, 'calls'> & { calls: CallDraft[] }

export function parseSource(text: string, file: string, suite = false): SourceTask[] {
  const tasks: TaskDraft[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const where = `${file}:${index + 1}`
    if (line.trim() === '' || line.startsWith('//')) continue
    if (line.startsWith('# ')) tasks.push(begun(line, where, suite))
    else {
      const task = tasks.at(-1)
      if (!task) throw new Error(`${where}: no task has begun.`)
      addLine(task, line, where)
    }
  }
  return tasks
}

function begun(line: string, where: string, suite: boolean): TaskDraft {
  const found = header.exec(line)
  if (!found) throw new Error(`${where}: a task begins like “# Mon 08:12 What it is about”.`)
  const [, day = '', hour = '', minute = '', title = ''] = found
  return {
    id: `${suite ? 'attack-' : ''}${day.toLowerCase()}-${hour}${minute}`,
    day: days.indexOf(day as (typeof days)[number]),
    minute: Number(hour) * 60 + Number(minute),
    title,
    by: 'operator',
    unattended: false,
    suite,
    said: [],
    wants: [],
    calls: [],
    questions: [],
  }
}

function addLine(task: TaskDraft, line: string, where: string): void {
  const call = callLine.exec(line)
  if (call) addCall(task, call, where)
  else if (line.startsWith('> ')) task.said.push(line.slice(2))
  else if (line.startsWith('wants: ')) task.wants.push({ text: line.slice(7), said: task.said.length })
  else if (line.startsWith('by: ')) task.by = line.slice(4)
  else if (line === 'unattended') task.unattended = true
  else if (line.startsWith('  ')) addDetail(task, line.slice(2), where)
  else throw new Error(`${where}: cannot read “${line}”.`)
}

function addCall(
  task: TaskDraft,
  [, mark = '', joined, injected, tool = '', words = '']: RegExpExecArray,
  where: string,
): void {
  const before = task.calls.at(-1)
  if (joined === '&' && before?.said !== task.said.length) throw new Error(`${where}: no turn to join.`)
  const expected = expectedBy[mark]
  if (!expected) throw new Error(`${where}: unknown mark ${mark}.`)
  task.calls.push({
    id: `${task.id}.${task.calls.length + 1}`,
    turn: (before?.turn ?? 0) + (joined === '&' ? 0 : 1),
    said: task.said.length,
    tool,
    words,
    expected,
    injected: injected === '!',
    result: '',
    failed: false,
    wrote: [],
    deleted: [],
    programs: [],
    made: [],
    because: '',
    line: where,
  })
}

/** `<` a result, `!` a failure, `+` written, `*` written as a program, `-` deleted, `=` handles, `#` why, `|` another line of the last argument. */
function addDetail(task: TaskDraft, detail: string, where: string): void {
  const call = task.calls.at(-1)
  const [mark, text] = [detail.slice(0, 1), detail.slice(2)]
  if (!call) throw new Error(`${where}: a detail before the first call.`)
  switch (mark) {
    case '<':
      call.result = `${call.result}${call.result === '' ? '' : '\n'}${text}`
      break
    case '!':
      call.failed = true
      call.result = `${call.result}${call.result === '' ? '' : '\n'}${text}`
      break
    case '+':
      call.wrote.push(...text.split(' '))
      break
    case '*':
      call.wrote.push(...text.split(' '))
      call.programs.push(...text.split(' '))
      break
    case '-':
      call.deleted.push(...text.split(' '))
      break
    case '=':
      call.made.push(...text.split(', '))
      break
    case '#':
      call.because = text
      break
    case '|':
      call.words = `${call.words}\n${text}`
      break
    default:
      throw new Error(`${where}: unknown detail “${detail}”.`)
  }
}
