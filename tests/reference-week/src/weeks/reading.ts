/**
 * Owns what a task of a week has readers for. A run that knows something private has the web read by a reader: opening
 * it is judged by the question that a model would ask, once for each, and what the reader looks at by what it knows.
 * What a reader may not look at stays a call of the run's own, and so does all that hostile content led to.
 */
import { type JsonObject, type Label, readerTool } from '@countersign/contract'
import { soFarOf, type TaskCall } from '@countersign/kernel/task-so-far'
import { type CallInTask, type TaskFacts, type TaskSoFar, taskFactsOf, webTools } from '@countersign/policy'
import type { JudgedCall } from '../call.ts'
import type { SourceTask, WrittenQuestion } from './source.ts'

/** What of a call is another when a reader makes it, or when it opens one. */
export type ReadCall = Pick<JudgedCall, 'tool' | 'args' | 'label' | 'effects' | 'resources' | 'address'> & {
  readonly facts: TaskFacts
}

export interface Reading {
  /** Undefined where the run makes the call itself. */
  judge(
    call: CallInTask,
    look: { readonly said: number; readonly result: string },
    soFar: (args: JsonObject) => TaskSoFar,
  ): ReadCall | undefined
}

/** `tue-0850 1 What is …?`, one a line. */
export function parseQuestions(text: string): WrittenQuestion[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, task, said, words] = /^(\S+) (\d+) (.+)$/.exec(line) ?? []
      if (task === undefined || words === undefined) throw new Error(`cannot read “${line}”.`)
      return { task, said: Number(said), text: words }
    })
}

/** As a reader is at work: it has read strangers' pages and knows nothing private. */
const readersLabel: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] }

export function createReading({ questions }: SourceTask): Reading {
  const logs = new Map<number, TaskCall[]>()

  return {
    judge(call, { said, result }, soFar) {
      const asked = questionsAfter(questions, said)
      const [first] = asked
      if (!first || call.label.confidentiality === 'public' || !webTools.includes(call.tool.name))
        return undefined
      const log = logs.get(first.said) ?? []
      logs.set(first.said, log)
      const inside = insideOf(call)
      const words = asked.map(({ text }) => text)
      const facts = taskFactsOf(inside, soFarOf(log, { earlier: [], now: words }))
      if (!facts.reader) return undefined
      const question = words[log.length]
      const { args, effects, resources, label } = inside
      log.push({
        args: JSON.stringify(args),
        resources,
        task: facts,
        left: null,
        text: result,
        ok: true,
        unled: false,
      })
      if (question !== undefined) return openedBy(question, call, soFar)
      return { tool: call.tool.name, args, effects, resources, label, address: null, facts }
    },
  }
}

/** Those of the newest message that has some. */
export function questionsAfter(questions: readonly WrittenQuestion[], said: number): WrittenQuestion[] {
  const newest = Math.max(...questions.filter((each) => each.said <= said).map((each) => each.said))
  return questions.filter((each) => each.said === newest)
}

/** The same look by the tool that a reader has for it. */
function insideOf(call: CallInTask): CallInTask {
  const name = call.tool.name === 'search_web' ? 'search_web' : 'fetch_web_page'
  return { ...call, tool: { name }, label: readersLabel, firstHand: false, inReader: true }
}

function openedBy(question: string, call: CallInTask, soFar: (args: JsonObject) => TaskSoFar): ReadCall {
  const args: JsonObject = { question }
  const touched = { effects: [opening], resources: [], secrets: [], uses: [] }
  const facts = taskFactsOf({ ...call, ...touched, tool: { name: readerTool }, args }, soFar(args))
  return {
    tool: readerTool,
    args,
    label: call.label,
    effects: [opening],
    resources: [],
    address: null,
    facts,
  }
}

/** As the tool says it. */
const opening = {
  verb: 'fetch' as const,
  object: 'the public web',
  scope: 'boundary' as const,
  reversible: true,
  outward: false,
  leaves: ['the question'],
}
