/** Owns the sentences that the demo model understands, and what it proposes for each. Everything else gets an honest answer. */
import {
  beginning,
  type DemoCall,
  type DemoReply,
  type Exchange,
  propose,
  refusalsIn,
  say,
} from './exchange.ts'
import { tidy } from './tidy.ts'

interface Sentence {
  readonly pattern: RegExp
  reply(found: Readonly<Record<string, string>>, exchange: Exchange): DemoReply
}

export const introduction =
  'I am the demo model. I run on this computer, need no key and cost nothing, and I understand only a few sentences.'

export const examples: readonly string[] = [
  'Tidy the folder Downloads.',
  'Summarise https://example.com/',
  'Draft a reply to Inbox/message.txt.',
  'What is in the workspace?',
  'Write "buy bread" to notes/list.txt',
  'Remember that I like short answers.',
  'What time is it?',
  'How much is 12 * 7?',
]

export function replyTo(exchange: Exchange): DemoReply {
  for (const { pattern, reply } of sentences) {
    const found = pattern.exec(exchange.words)
    if (found) return reply(found.groups ?? {}, exchange)
  }
  return say(unknown(exchange.words))
}

const sentences: readonly Sentence[] = [
  {
    pattern:
      /\b(?:tidy|organi[sz]e|clean up)\b.*?\b(?:folder|directory)\s+["“]?(?<folder>[^\s"”]+?)["”]?[.,:;]?(?:\s|$)/is,
    reply: ({ folder = 'Downloads' }, exchange) => tidy(folder, exchange),
  },
  {
    pattern: /\btidy\b.*\bdownloads\b/is,
    reply: (_found, exchange) => tidy('Downloads', exchange),
  },
  {
    pattern: /\b(?:summari[sz]e|read|fetch|open)\b.*?(?<url>https?:\/\/[^\s"”)>]+)/is,
    reply: ({ url = '' }, exchange) =>
      once(
        exchange,
        `I would read ${url}. Reading a page tells its server that you asked, so it is yours to allow.`,
        {
          call: { tool: 'fetch_web_page', args: { url, maxChars: 4_000 } },
          done: (text) =>
            `This is how the page begins. A real model would put it into its own words:\n\n${beginning(text, 900)}`,
        },
      ),
  },
  {
    pattern: /\bdraft\b.*?\b(?:reply|answer)\b.*?(?<path>[\w./-]+\.(?:txt|md|eml))/is,
    reply: ({ path = '' }, exchange) => draft(path, exchange),
  },
  {
    pattern:
      /\b(?:what(?:['’]s| is) in|list|show)\b.*?\b(?:workspace|files|folder(?:\s+(?<path>[\w./-]+))?)/is,
    reply: ({ path = '.' }, exchange) =>
      once(exchange, 'I look.', {
        call: { tool: 'list_directory', args: { path } },
        done: (text) => `There is:\n\n${beginning(text, 1_500)}`,
      }),
  },
  {
    pattern:
      /^(?:please )?(?:write|save|put)\s+["“](?<content>[^"”]*)["”]\s+(?:to|in|into)\s+(?<path>[\w./-]+\.\w+)/is,
    reply: ({ content = '', path = '' }, exchange) =>
      once(exchange, `I write that to ${path}.`, {
        call: { tool: 'write_file', args: { path, content: `${content}\n` } },
        done: (text) => `${text}.`,
      }),
  },
  {
    pattern: /\b(?:read|show|open)\s+(?:me\s+)?(?:the file\s+)?(?<path>[\w./-]+\.\w{1,8})\b/is,
    reply: ({ path = '' }, exchange) =>
      once(exchange, `I read ${path}.`, {
        call: { tool: 'read_file', args: { path, max_bytes: 20_000 } },
        done: (text) => beginning(text, 1_500),
      }),
  },
  {
    pattern: /^(?:please )?remember(?: that)?\s+(?<content>.+)$/is,
    reply: ({ content = '' }, exchange) =>
      once(exchange, 'I keep that.', {
        call: { tool: 'remember', args: { content, type: 'fact' } },
        done: () => 'I remember it. You can see and remove it with `countersign memory list`.',
      }),
  },
  {
    pattern: /\bwhat\b.*\b(?:time|day|date)\b/is,
    reply: (_found, exchange) =>
      once(exchange, '', {
        call: { tool: 'get_current_time', args: {} },
        done: (text) => `It is ${text}.`,
      }),
  },
  {
    pattern: /\b(?:calculate|compute|how much is|what is)\s+(?<sum>[\d(][\d\s.+*/()%^-]*)/is,
    reply: ({ sum = '' }, exchange) =>
      once(exchange, '', {
        call: { tool: 'calculate', args: { expression: sum.trim() } },
        done: (text) => `${sum.trim()} = ${/[-\d.e+]+/i.exec(text.replace(/^\D*/, ''))?.[0] ?? text}`,
      }),
  },
  {
    pattern: /^run\s+[`"“]?(?<command>[^`"”]+)[`"”]?$/is,
    reply: ({ command = '' }, exchange) =>
      once(exchange, 'A command can do anything inside the sandbox, so you decide.', {
        call: { tool: 'execute_shell', args: { command: command.trim() } },
        done: (text) => beginning(text, 1_500),
      }),
  },
]

/** One call, and then what came of it. */
function once(
  { turns }: Exchange,
  before: string,
  { call, done }: { readonly call: DemoCall; readonly done: (text: string) => string },
): DemoReply {
  const [turn] = turns
  if (turn === undefined) return propose(before, call)
  const refused = refusalsIn(turn)
  return say(refused.length > 0 ? notDone(refused) : done(turn.results[0]?.text ?? ''))
}

function draft(path: string, { turns }: Exchange): DemoReply {
  const [looked, drafted] = turns
  if (looked === undefined)
    return propose('I am the demo model. I read the message first.', {
      tool: 'read_file',
      args: { path, max_bytes: 20_000 },
    })
  if (refusalsIn(looked).length > 0) return say(notDone(refusalsIn(looked)))
  if (drafted === undefined) {
    const message = messageIn(looked.results[0]?.text ?? '')
    return propose(
      `${message.name} asks for something. This is a draft in your name, so you see every word of it. Nothing is sent.`,
      {
        tool: 'draft_reply',
        args: {
          to: message.from,
          subject: message.subject,
          body: `Hello ${message.name},\n\nthank you for your message. Thursday at 10:00 suits me, and I will bring the figures for October.\n\nKind regards`,
        },
      },
    )
  }
  const refused = refusalsIn(drafted)
  return say(
    refused.length > 0
      ? notDone(refused)
      : 'The draft lies among your notes, exactly as you approved it. Nothing was sent.',
  )
}

function messageIn(text: string): { readonly from: string; readonly name: string; readonly subject: string } {
  const from = (/^from:\s*(.+)$/im.exec(text)?.[1] ?? 'the sender').trim()
  const subject = (/^subject:\s*(.+)$/im.exec(text)?.[1] ?? 'your message').trim()
  const name = (from.split('<')[0] ?? from).trim().split(/\s+/)[0] ?? from
  return { from, name, subject: /^re:/i.test(subject) ? subject : `Re: ${subject}` }
}

function notDone(reasons: readonly string[]): string {
  return `That was not done. ${beginning(reasons.join(' '), 400)}`
}

function unknown(words: string): string {
  const list = examples.map((example) => `- ${example}`).join('\n')
  const heard = /\b(?:hello|hi|who are you|help|what can you)\b/i.test(words)
    ? introduction
    : `${introduction} This was not one of them.`
  return `${heard} Try one of these:\n\n${list}\n\nFor a model that understands you: \`countersign provider add\`, then \`countersign model use\`.`
}
