/**
 * Fetches a skill that a server serves, and keeps it for the operator to review: nothing of it counts before. The server is
 * started as it was let in. Called by hand.
 */
import { kindOf, ServerName, SkillName } from '@countersign/contract'
import { treeHash } from '@countersign/contract/node'
import { readSkillFile, skillFile } from '@countersign/contract/skills'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { extensionResource, serverNamed, takenBy } from '../extensions/entry.ts'
import { failed, succeeded, textOf } from '../result.ts'
import { anyServerLabel, hashText, serverLabel } from '../servers/server-effects.ts'
import { startedServer } from '../servers/server-start.ts'
import { pathText } from '../text.ts'
import { listedFiles, nameProblem } from './proposal.ts'

export const fetchServerSkill = defineTool({
  name: 'fetch_server_skill',
  version: '1',
  description: 'Start a server that was let in, and fetch a skill that it serves.',
  input: z.strictObject({
    server: ServerName,
    /** The hash of how it is started, as it was shown. */
    launch: z.string().regex(hashText),
    name: SkillName,
    /** Of its SKILL.md at the server; left out, the server is asked which one has the name. */
    uri: pathText.max(2_000).nullable().default(null),
  }),
  category: 'skills',
  group: 'skills',
  tags: ['skill', 'server', 'mcp', 'fetch'],
  effect: 'idempotent',
  floor: 3,
  output: anyServerLabel,
  hidden: true,
  byHand: true,
  runs: 'executor',
  sandbox: 'server',
  egress: 'checked',
  describe: ({ server, name }) => `Start the server ${server} and fetch the skill ${name} from it`,
  preview: ({ server, launch, name, uri }) => ({
    kind: 'text',
    title: `Fetch the skill ${name} from ${server}`,
    text: [
      `It is started as you let it in (${launch.slice(0, 16)}…) and asked for the skill ${name}.`,
      ...(uri === null ? [] : [`At: ${uri}`]),
      'What it gives waits for your review. No agent is told of it before.',
    ].join('\n'),
  }),
  async effects({ server, launch, name, uri }, inspect) {
    const installed = inspect.extensions()
    const entry = serverNamed(installed, server)
    if (!entry || kindOf(entry) !== 'server')
      return { kind: 'invalid', reason: `There is no server ${server}.` }
    const reason =
      takenBy(installed, 'proposal', name) ??
      (uri === null ? nameProblem(installed, name, 'unknown') : nameProblem(installed, name, { server, uri }))
    if (reason !== undefined) return { kind: 'invalid', reason }
    const started = await startedServer(entry, launch, inspect)
    if (started.kind !== 'found') return started
    const proposal = extensionResource(installed, { kind: 'proposal', name, op: 'add' })
    return { ...started, resources: [proposal, ...started.resources] }
  },
  async run({ server, name, uri }, { servers, extensions }, signal) {
    const label = serverLabel(server)
    const served = await servers.skill(server, { name, uri }, signal)
    if (served.kind === 'failed') return { ...failed(served.reason), label }
    const origin = { server, uri: served.uri }
    const problem = nameProblem(extensions.installed(), name, origin)
    const main = served.files.find(({ path }) => path === skillFile)
    const read = readSkillFile(textOf(main?.bytes ?? new Uint8Array()), name)
    if (problem !== undefined || read.kind === 'refused')
      return { ...failed(problem ?? (read.kind === 'refused' ? read.reason : '')), label }
    const { description, allowedTools } = read.head
    const tree = treeHash(listedFiles(served.files))
    const tools = allowedTools === null ? null : [...allowedTools]
    const entry = { name, description, tree, allowedTools: tools }
    const outcome = await extensions.putProposal(entry, served.files, origin)
    if (outcome.kind === 'failed') return { ...failed(outcome.reason), label }
    const summary = `The skill ${name} of the server ${server} waits for your review`
    return { ...succeeded(`${summary}: \`countersign extension review ${name}\`.`, summary), label }
  },
})
