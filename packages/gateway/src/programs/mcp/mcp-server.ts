/**
 * Owns what a program finds when it speaks MCP: to ask, to look at what it asked, and to propose the calls that its limits
 * name. The protocol gives it nothing that it has not by its token.
 */
import { CountersignError, type ToolCatalogue } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { version } from '../../version.ts'
import type { OwnQuestion } from '../own-things.ts'
import type { Program } from '../program-rows.ts'
import type { Programs } from '../programs.ts'
import { waitingWords } from '../standing.ts'
import { longestWords } from '../wish.ts'

export interface McpParts {
  readonly programs: Programs
  readonly tools: () => Promise<ToolCatalogue>
  readonly uuid: () => string
  readonly onProblem: (problem: unknown) => void
}

/** Clients of MCP give up after a minute. */
const patienceMs = 45_000

const instructions = [
  'This is a personal assistant that acts for its operator.',
  'What you ask it is worth what you are, never what the operator says.',
  'Where the operator has to decide, you are told that it waits: ask for the answer later.',
].join(' ')

export function createMcpServer(parts: McpParts, program: Program): McpServer {
  // Nothing changes while a program listens, so nobody listens: such a stream would outlive the token, without a limit.
  const capabilities = { tools: { listChanged: false } }
  const server = new McpServer({ name: 'countersign', version }, { instructions, capabilities })
  addAsking(server, parts, program)
  addLooking(server, parts, program)
  addProposing(server, parts, program)
  return server
}

function addAsking(server: McpServer, { programs, uuid, onProblem }: McpParts, program: Program): void {
  const said = guarded(onProblem)
  server.registerTool(
    'ask',
    {
      title: 'Ask the assistant',
      description: `Asks an agent and waits for its answer. Agents: ${program.agents.join(', ')}.`,
      inputSchema: z.object({
        question: z.string().min(1).max(longestWords),
        agent: z.string().max(64).optional().describe('Left out, the first one.'),
        conversation: z
          .string()
          .max(255)
          .optional()
          .describe('Goes on with an earlier one, as it was answered with.'),
      }),
      annotations: { openWorldHint: true },
    },
    ({ question, agent = program.agents[0] ?? '', conversation }, context) =>
      said(async () => {
        if (!program.agents.includes(agent))
          throw new CountersignError('not_found', `There is no agent ${agent} for you.`)
        const asked = await programs.ask(program, {
          agent,
          words: question,
          history: [],
          instructions: '',
          conversation: conversation ?? null,
          person: null,
          after: null,
          // A client of MCP that asks again wants another answer.
          bodyHash: sha256Hex(`mcp\n${uuid()}`),
          retryKey: null,
          isRetry: false,
        })
        const end = await asked.answer(() => undefined, context.mcpReq.signal, patienceMs)
        await end.handedOver()
        return {
          answer: end.text,
          state: end.told === 'end' ? 'ended' : 'waiting',
          question: asked.id,
          conversation: asked.conversation,
        }
      }),
  )
}

function addLooking(server: McpServer, { programs, onProblem }: McpParts, program: Program): void {
  const said = guarded(onProblem)
  const annotations = { readOnlyHint: true }
  server.registerTool(
    'get_answer',
    {
      title: 'How a question stands',
      description: 'Tells how something that you asked or proposed ended, or what it waits for.',
      inputSchema: z.object({ question: z.string().max(64) }),
      annotations: { readOnlyHint: true },
    },
    ({ question }) =>
      said(async () => {
        const known = await programs.question(program, question)
        if (!known) throw new CountersignError('not_found', 'You asked nothing under this id.')
        return questionView(known)
      }),
  )
  server.registerTool(
    'list_conversations',
    { title: 'Your conversations', description: 'Your own conversations, the newest first.', annotations },
    () => said(async () => ({ conversations: await programs.conversations(program) })),
  )
  server.registerTool(
    'search',
    {
      title: 'Search your conversations',
      description: 'Finds messages of your own conversations in which all of these words stand.',
      inputSchema: z.object({ words: z.string().min(1).max(200) }),
      annotations,
    },
    ({ words }) => said(async () => ({ matches: await programs.search(program, words) })),
  )
  server.registerTool(
    'list_waiting',
    {
      title: 'What waits',
      description: 'What you asked or proposed that has not ended, and what it waits for.',
      annotations,
    },
    () => said(async () => ({ waiting: (await programs.waiting(program)).map(questionView) })),
  )
}

function addProposing(server: McpServer, { programs, tools, onProblem }: McpParts, program: Program): void {
  const said = guarded(onProblem)
  const open = program.limits.tools ?? []
  server.registerTool(
    'list_calls',
    {
      title: 'Calls that you may propose',
      description: 'The tools that the operator opened to you, with what they do and take.',
      annotations: { readOnlyHint: true },
    },
    () =>
      said(async () => {
        const catalogue = await tools()
        const found = open.flatMap((name) => catalogue.find(name) ?? [])
        return {
          calls: found.map(({ name, description, schema }) => ({ name, description, inputSchema: schema })),
        }
      }),
  )
  server.registerTool(
    'propose_call',
    {
      title: 'Propose a call',
      description:
        'Proposes a call of a tool that the operator opened to you. The policy decides whether it runs, is refused, or waits for the operator.',
      inputSchema: z.object({
        tool: z.string().max(64),
        arguments: z.record(z.string(), z.unknown()).default({}),
      }),
      annotations: { destructiveHint: true, openWorldHint: true },
    },
    ({ tool, arguments: args }, context) =>
      said(async () => {
        const call = { tool, args: JSON.stringify(args) }
        return questionView(await programs.propose(program, call, context.mcpReq.signal, patienceMs))
      }),
  )
}

function questionView({ id, conversation, at, standing }: OwnQuestion) {
  return {
    question: id,
    conversation,
    at,
    state: standing.kind === 'ended' ? 'ended' : 'waiting',
    answer: standing.kind === 'ended' ? standing.text : waitingWords(standing),
    ...(standing.kind === 'waits' && standing.code !== null ? { approval: standing.code } : {}),
  }
}

/** What goes well is told as text and as data; what fails, in a sentence that says why. */
function guarded(onProblem: (problem: unknown) => void) {
  return async (work: () => Promise<Record<string, unknown>>) => {
    try {
      const value = await work()
      const text = typeof value['answer'] === 'string' ? value['answer'] : JSON.stringify(value)
      return { content: [{ type: 'text' as const, text }], structuredContent: value }
    } catch (error) {
      const isKnown = error instanceof CountersignError
      if (!isKnown) onProblem(error)
      const text = isKnown ? error.message : 'The gateway could not do this.'
      return { content: [{ type: 'text' as const, text }], isError: true }
    }
  }
}
