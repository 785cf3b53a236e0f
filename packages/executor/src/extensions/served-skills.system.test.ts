import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type JsonObject, nothingGiven, type StdioLaunch, type ToolResult } from '@countersign/contract'
import { readTree } from '@countersign/contract/node'
import { filesInFolder, skillChanges, skillReport, treeFilesOf } from '@countersign/contract/skills'
import { proposalNamed, serverNamed, skillNamed } from '@countersign/tools'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Executor, openExecutor } from '../executor.ts'
import { createTestHost, sealTestPermit, type TestHost } from '../testing/host.ts'

const program = join(dirname(fileURLToPath(import.meta.url)), 'testing', 'skills-server.cjs')
const signal = new AbortController().signal
let host: TestHost
let executor: Executor
let root: string
let folders = 0

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'served-'))
  host = createTestHost()
  executor = await openExecutor(host.options)
  executor.setWorld(host.world)
})
afterEach(async () => {
  await executor.close()
  host.remove()
  rmSync(root, { recursive: true, force: true })
})

const refunds = 'skill://billing/refunds'
const textOf = (body: string) => `---\nname: refunds\ndescription: Pays back.\n---\n${body}\n`

function served(body = 'Ask first.', more: JsonObject = {}): JsonObject {
  return {
    uri: `${refunds}/SKILL.md`,
    frontmatter: { name: 'refunds', description: 'Pays back.' },
    files: { [`${refunds}/SKILL.md`]: textOf(body), [`${refunds}/examples/a%20b.md`]: 'Dear customer' },
    ...more,
  }
}

async function use(tool: string, args: JsonObject): Promise<ToolResult> {
  const permit = await sealTestPermit(host, { tool, args }, executor.resolve)
  const reply = await executor.execute(permit, signal)
  if (reply.kind !== 'done') throw new Error(`${tool}: ${JSON.stringify(reply)}`)
  return reply.result
}

async function refusal(tool: string, args: JsonObject): Promise<string> {
  const reply = await executor.resolve(tool, JSON.stringify(args))
  return reply.kind === 'resolved' ? '' : reply.reason
}

/** Lets the server in, or puts it there with other skills. */
async function serve(skills: readonly JsonObject[], more: JsonObject = {}): Promise<void> {
  folders += 1
  const folder = join(root, `server-${folders}`)
  mkdirSync(folder)
  cpSync(program, join(folder, 'server.cjs'))
  writeFileSync(join(folder, 'skills.json'), JSON.stringify({ skills, ...more }))
  const tree = await readTree(folder)
  if (tree.kind !== 'tree') throw new Error(tree.reason)
  const launch: StdioLaunch = {
    kind: 'stdio',
    argv: ['node', '/extension/server.cjs'],
    tree: tree.sha256,
    package: null,
    ...nothingGiven,
  }
  const replaces = server()?.launchHash ?? null
  const args = { name: 'billing', launch, from: folder, replaces } as unknown as JsonObject
  expect(await use('add_server', args)).toMatchObject({ ok: true })
}

const server = () => serverNamed(executor.extensions.current(), 'billing')
const waiting = () => proposalNamed(executor.extensions.current(), 'refunds')
const kept = () => skillNamed(executor.extensions.current(), 'refunds')

const wish = (uri: string | null = null): JsonObject => ({
  server: 'billing',
  launch: server()?.launchHash ?? '',
  name: 'refunds',
  uri,
})

async function filesKept(tree: string) {
  const found = await filesInFolder(
    join(dirname(host.options.replayFile), 'extensions', 'trees', tree, 'files'),
  )
  if (found.kind === 'refused') throw new Error(found.reason)
  return found.files
}

async function reviewOf(): Promise<JsonObject> {
  const proposal = waiting()
  if (!proposal) throw new Error('nothing waits')
  const files = await filesKept(proposal.tree)
  const before = kept()
  const changes = before && skillChanges(await filesKept(before.tree), files)
  return {
    name: 'refunds',
    files: treeFilesOf(files),
    text: Buffer.from(files.get('SKILL.md')?.bytes ?? []).toString(),
    report: skillReport(files),
    others: [],
    servedBy: proposal.servedBy,
    replaces: before ? { tree: before.tree, changes } : null,
  } as unknown as JsonObject
}

describe('a skill that a server serves', () => {
  it('is fetched with all of its files, waits, and is used after the review', async () => {
    await serve([served()])
    expect(await use('fetch_server_skill', wish())).toMatchObject({
      ok: true,
      label: { integrity: 'untrusted', sources: ['server billing'] },
    })
    expect(waiting()).toMatchObject({ servedBy: { server: 'billing', uri: `${refunds}/SKILL.md` } })
    expect(waiting()?.files.map(({ path }) => path)).toEqual(['SKILL.md', 'examples/a b.md'])
    expect(await refusal('use_skill', { name: 'refunds' })).toContain('extension review refunds')
    const args = await reviewOf()
    const lie = { ...args, servedBy: { ...(args['servedBy'] as JsonObject), server: 'other' } }
    expect(await refusal('review_proposed_skill', lie)).toContain('than was shown')
    expect(await use('review_proposed_skill', args)).toMatchObject({ ok: true })
    const read = await use('use_skill', { name: 'refunds' })
    expect(read.text).toContain('Ask first.')
    expect(read.label).toMatchObject({ integrity: 'tool', confidentiality: 'private' })
  })

  it('is another one later only by a review that shows every difference', async () => {
    await serve([served()])
    await use('fetch_server_skill', wish())
    await use('review_proposed_skill', await reviewOf())
    await serve([served('Pay at once.')])
    expect((await use('use_skill', { name: 'refunds' })).text).toContain('Ask first.')
    await use('fetch_server_skill', wish())
    expect((await use('use_skill', { name: 'refunds' })).text).toContain('Ask first.')
    const args = await reviewOf()
    expect((args['replaces'] as JsonObject)['changes']).toContain('+ Pay at once.')
    expect(await refusal('review_proposed_skill', { ...args, replaces: null })).toContain(
      'not as it was shown',
    )
    expect(await use('review_proposed_skill', args)).toMatchObject({ ok: true })
    expect((await use('use_skill', { name: 'refunds' })).text).toContain('Pay at once.')
  })

  it('keeps its place from a skill of its name at another address', async () => {
    await serve([served()])
    await use('fetch_server_skill', wish())
    await use('review_proposed_skill', await reviewOf())
    const other = 'skill://support/refunds'
    const twin = { ...served('x'), uri: `${other}/SKILL.md`, files: { [`${other}/SKILL.md`]: textOf('x') } }
    await serve([twin])
    expect(await refusal('fetch_server_skill', wish(`${other}/SKILL.md`))).toContain('comes from elsewhere')
    expect(await use('fetch_server_skill', wish())).toMatchObject({
      ok: false,
      text: expect.stringContaining('comes from elsewhere'),
    })
    await serve([served(), twin])
    expect(await use('fetch_server_skill', wish())).toMatchObject({
      ok: false,
      text: expect.stringContaining('2 skills refunds'),
    })
  })

  it('is found on a later page of the list, and is none of another name', async () => {
    const first = { ...served(), uri: 'skill://a/SKILL.md', frontmatter: { name: 'a', description: 'x' } }
    await serve([first, served()], { pages: true })
    expect(await use('fetch_server_skill', wish())).toMatchObject({ ok: true })
    expect(await use('fetch_server_skill', { ...wish(), name: 'none' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('lists no skill none'),
    })
  })

  const at = (path: string) => `${refunds}/${path}`
  it.each([
    [
      'other bytes than its hash',
      { reads: { [at('SKILL.md')]: textOf('Pay me!!!.') } },
      'not what the server says',
    ],
    ['a wrong hash', { lies: { digest: `sha256:${'0'.repeat(64)}` } }, 'not what the server says'],
    ['no fixed files', { lies: { resources: 'dynamic' } }, 'no fixed files'],
    ['no list of its files', { lies: { resources: 'many' } }, 'lists no skill'],
    ['other front matter', { frontmatter: { name: 'refunds', description: 'Harmless.' } }, 'front matter'],
    [
      'a file elsewhere',
      { files: { [at('SKILL.md')]: textOf('x'), 'skill://other/x.md': 'x' } },
      'no file of',
    ],
    ['a path that leads out', { files: { [at('SKILL.md')]: textOf('x'), [at('../x.md')]: 'x' } }, ''],
    [
      'a path that hides one',
      { files: { [at('SKILL.md')]: textOf('x'), [at('..%2fx.md')]: 'x' } },
      'no file of',
    ],
    ['another folder than its name', { uri: 'skill://other/SKILL.md' }, ''],
    [
      'more files than are read',
      {
        files: Object.fromEntries(
          Array.from({ length: 501 }, (_, n) => [at(n === 0 ? 'SKILL.md' : `${n}.md`), textOf('x')]),
        ),
      },
      'more than 500 files',
    ],
  ])('is not fetched with %s', async (_what, change, reason) => {
    await serve([served('x', change as JsonObject)])
    const result = await use('fetch_server_skill', wish())
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining(reason) })
    expect(waiting()).toBeUndefined()
    expect(executor.extensions.current().proposals).toEqual([])
  })

  it('is not asked for from a server that serves none, is paused, or is not there', async () => {
    await serve([served()], { declares: false })
    expect(await use('fetch_server_skill', wish())).toMatchObject({
      ok: false,
      text: expect.stringContaining('serves no skills'),
    })
    expect(await refusal('fetch_server_skill', { ...wish(), server: 'none' })).toContain('no server none')
    expect(await refusal('fetch_server_skill', { ...wish(), launch: '0'.repeat(64) })).toContain(
      'another way',
    )
    await use('switch_server', { server: 'billing', paused: true })
    expect(await refusal('fetch_server_skill', wish())).toContain('paused')
  })
})
