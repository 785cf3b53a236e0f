/** Owns what the demo model sees of a request: the last words of the person, and the turns of calls since then. Pure. */
import type { CallReply, ModelRequest, RawCall } from '@countersign/agent'

export interface Turn {
  readonly calls: readonly RawCall[]
  readonly results: readonly CallReply[]
}

export interface Exchange {
  readonly words: string
  /** Since the words were said, the first one first. */
  readonly turns: readonly Turn[]
  /** Calls of the whole history, so that a new one can have an id of its own. */
  readonly calls: number
  /** The tools that may be called by name. */
  readonly tools: ReadonlySet<string>
}

export interface DemoCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

export interface DemoReply {
  readonly text: string
  readonly calls: readonly DemoCall[]
}

export function exchangeIn({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): Exchange {
  const said = messages.findLastIndex(({ role }) => role === 'user')
  const last = messages[said]
  const turns: Turn[] = []
  let calls = 0
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    calls += message.calls.length
    if (at < said || message.calls.length === 0) continue
    const answered = messages[at + 1]
    turns.push({ calls: message.calls, results: answered?.role === 'tool' ? answered.results : [] })
  }
  return {
    words: last?.role === 'user' ? last.text.trim() : '',
    turns,
    calls,
    tools: new Set(tools.map(({ name }) => name)),
  }
}

/** As the model writes them: a tool that is not listed is reached through `use_tool`. */
export function writtenCalls(wanted: readonly DemoCall[], { tools, calls }: Exchange): RawCall[] {
  return wanted.map(({ tool, args }, at) => {
    const id = `demo_${calls + at + 1}`
    return tools.has(tool) || !tools.has('use_tool')
      ? { id, name: tool, args: JSON.stringify(args) }
      : { id, name: 'use_tool', args: JSON.stringify({ tool, args }) }
  })
}

export function say(text: string): DemoReply {
  return { text, calls: [] }
}

export function propose(text: string, ...calls: readonly DemoCall[]): DemoReply {
  return { text, calls }
}

/** The words of the results that did not go well, each once. */
export function refusalsIn(turn: Turn): string[] {
  return [...new Set(turn.results.filter(({ isError }) => isError).map(({ text }) => text.trim()))]
}

/** So much of a text that it can be read at a glance. */
export function beginning(text: string, longest: number): string {
  const whole = text.trim()
  return whole.length <= longest ? whole : `${whole.slice(0, longest).toWellFormed().trimEnd()} …`
}
