/** Scripts written as data: a list of rules, of which the first that matches answers. */

import { z } from 'zod'
import type { Script, ScriptReply, ScriptTurn } from './script.ts'

const replySchema = z.strictObject({
  text: z.string().exactOptional(),
  reasoning: z.string().exactOptional(),
  calls: z
    .array(
      z.strictObject({
        name: z.string(),
        args: z.union([z.string(), z.record(z.string(), z.unknown())]),
        id: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  finish: z.string().exactOptional(),
  usage: z
    .strictObject({
      input: z.int().exactOptional(),
      output: z.int().exactOptional(),
      cached: z.int().exactOptional(),
      reasoning: z.int().exactOptional(),
    })
    .exactOptional(),
  firstDelayMs: z.number().min(0).exactOptional(),
  tokenDelayMs: z.number().min(0).exactOptional(),
  chunkSize: z.int().min(1).exactOptional(),
  truncateAfterBytes: z.int().min(0).exactOptional(),
  stallAfterBytes: z.int().min(0).exactOptional(),
  cutCleanly: z.boolean().exactOptional(),
  status: z.int().min(300).max(599).exactOptional(),
  retryAfter: z.union([z.string(), z.number()]).exactOptional(),
  location: z.string().exactOptional(),
  errorMessage: z.string().exactOptional(),
  malformed: z.string().exactOptional(),
})

const rulesSchema = z.array(
  z.strictObject({
    when: z
      .strictObject({
        /** Must occur in the newest user message. */
        user: z.string().exactOptional(),
        /** Name of a tool whose result ends the conversation, or `*` for any. Without it, a rule answers users only. */
        afterTool: z.string().exactOptional(),
      })
      .exactOptional(),
    reply: replySchema,
  }),
)

export type Rule = z.infer<typeof rulesSchema>[number]

/** Throws a readable error when the value is not a list of rules. */
export function parseRules(value: unknown): Rule[] {
  const parsed = rulesSchema.safeParse(value)
  if (!parsed.success) throw new Error(`The script is not a list of rules.\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

export function scriptFromRules(rules: readonly Rule[]): Script {
  return (turn) => fill(rules.find((rule) => matches(rule, turn))?.reply ?? echoOf(turn), turn)
}

function matches(rule: Rule, turn: ScriptTurn): boolean {
  const { user, afterTool } = rule.when ?? {}
  if (user !== undefined && !turn.lastUser.includes(user)) return false
  if (afterTool === undefined) return turn.lastResults.length === 0
  if (afterTool === '*') return turn.lastResults.length > 0
  return turn.lastResults.some((result) => result.name === afterTool)
}

function echoOf(turn: ScriptTurn): ScriptReply {
  return turn.lastResults.length > 0
    ? { text: 'The tool answered: {{result}}' }
    : { text: 'You said: {{user}}' }
}

function fill(reply: ScriptReply, turn: ScriptTurn): ScriptReply {
  return {
    ...reply,
    ...(reply.text === undefined ? {} : { text: fillText(reply.text, turn, asItIs) }),
    ...(reply.reasoning === undefined ? {} : { reasoning: fillText(reply.reasoning, turn, asItIs) }),
    ...(reply.calls === undefined
      ? {}
      : {
          calls: reply.calls.map((call) => ({
            ...call,
            args:
              typeof call.args === 'string'
                ? fillText(call.args, turn, insideJsonString)
                : (fillValue(call.args, turn) as Record<string, unknown>),
          })),
        }),
  }
}

function fillValue(value: unknown, turn: ScriptTurn): unknown {
  if (typeof value === 'string') return fillText(value, turn, asItIs)
  if (Array.isArray(value)) return value.map((item) => fillValue(item, turn))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, turn)]))
}

function fillText(template: string, turn: ScriptTurn, spell: (text: string) => string): string {
  return template.replace(/\{\{(user|result)\}\}/g, (_, name: string) =>
    spell(name === 'user' ? turn.lastUser : (turn.lastResults.at(-1)?.text ?? '')),
  )
}

function asItIs(text: string): string {
  return text
}

function insideJsonString(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
