/**
 * Owns setting up without asking: the answers come from a file. Refuses a file that says what nobody understands, and
 * stops at the first step that does not go through, with its exit code and what to do next.
 */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  CountersignError,
  type Onboarding,
  type SetupAnswer,
  SetupStepId,
  setupAnswers,
} from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Context } from '../context.ts'
import { readPlainYaml } from '../plain-yaml.ts'
import { stepIn } from './onboard-words.ts'

/** What the file may say, besides the answers themselves: a key never stands in it, but in a file of its own. */
interface AnswersFile {
  readonly answers: { readonly [Id in SetupStepId]?: SetupAnswer<Id> }
  readonly skip: readonly SetupStepId[]
}

const cardMs = 30_000
const lookMs = 300

export function readAnswers(path: string): AnswersFile {
  const value = parsed(path)
  const { skip, ...said } = value
  const answers: Partial<Record<SetupStepId, unknown>> = {}
  for (const [name, answer] of Object.entries(said)) {
    const id = SetupStepId.safeParse(name)
    if (!id.success)
      throw wrong(path, `“${name}” is not a step. The steps are ${SetupStepId.options.join(', ')}`)
    const shape = setupAnswers[id.data].safeParse(id.data === 'model' ? withKey(path, answer) : answer)
    if (!shape.success)
      throw wrong(
        path,
        `${name}: ${shape.error.issues.map(({ path: at, message }) => [...at, message].join(': ')).join('; ')}`,
      )
    answers[id.data] = shape.data
  }
  const left = (Array.isArray(skip) ? skip : skip === undefined ? [] : [skip]).map((name) => {
    const id = SetupStepId.safeParse(name)
    if (!id.success) throw wrong(path, `“${String(name)}” under skip is not a step`)
    return id.data
  })
  return { answers: answers as AnswersFile['answers'], skip: left }
}

/** Goes through the steps in their order. What the file says nothing of stays as it is. */
export async function answerFrom(context: Context, client: Client, given: AnswersFile): Promise<Onboarding> {
  let view = await client.onboarding()
  if (stepIn(view, 'check').state !== 'done') view = await client.setUp('check', {})
  for (const id of SetupStepId.options) {
    const answer = given.answers[id]
    const { state } = stepIn(view, id)
    if (answer !== undefined && id !== 'check' && !(id === 'action' && state === 'done')) {
      view = await client.setUp(id, answer)
      if (id === 'action') view = await untilCard(context, client)
    } else if (given.skip.includes(id) && state === 'todo') view = await client.skipSetup(id)
  }
  return view
}

/** Until the action asks, is done or has ended. */
async function untilCard(context: Context, client: Client): Promise<Onboarding> {
  const began = context.host.clock().getTime()
  for (;;) {
    const view = await client.onboarding()
    const { progress } = stepIn(view, 'action').data
    const waited = context.host.clock().getTime() - began
    if (progress?.state !== 'working' || waited > (context.flags.waitMs ?? cardMs)) return view
    await context.host.wait(lookMs)
  }
}

function parsed(path: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new CountersignError('not_found', `${path} cannot be read.`, {
      cause,
      next: 'Give a file that exists.',
    })
  }
  const value = /\.ya?ml$/i.test(path) ? yamlIn(path, text) : jsonIn(path, text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(path, 'it does not map step names to answers')
  return value as Record<string, unknown>
}

function jsonIn(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(path, 'it is not JSON; a YAML file ends in .yaml')
  }
}

function yamlIn(path: string, text: string): unknown {
  const read = readPlainYaml(text)
  if (read.kind === 'problem') throw wrong(path, `line ${read.line} ${read.reason}`)
  return read.value
}

function withKey(path: string, answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('keyFile' in answer)) return answer
  const { keyFile, ...rest } = answer as Record<string, unknown>
  const file = resolve(dirname(path), String(keyFile))
  try {
    return { ...rest, key: readFileSync(file, 'utf8').trim() }
  } catch {
    throw wrong(path, `the key file ${file} cannot be read`)
  }
}

function wrong(path: string, reason: string): CountersignError {
  return new CountersignError('config_invalid', `${path}: ${reason}.`, {
    next: 'Correct the file and run the command again; finished steps are kept.',
  })
}
