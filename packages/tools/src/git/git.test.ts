import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, ToolResult } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseArgs, type ToolDefinition } from '../definition.ts'
import { type BareWorkspace, createBareWorkspace } from '../testing/bare-workspace.ts'
import { gitAdd } from './git-add.ts'
import { gitBranch } from './git-branch.ts'
import { gitCheckout } from './git-checkout.ts'
import { gitCommit } from './git-commit.ts'
import { gitDiff } from './git-diff.ts'
import { gitLog } from './git-log.ts'
import { gitStatus } from './git-status.ts'
import { gitTools } from './index.ts'

let workspace: BareWorkspace
const at = (path: string) => join(workspace.root, path)
const put = (path: string, text: string) => writeFileSync(at(path), text)

/** Git as a person would use it, to set a scene and to look from outside. */
function git(...words: string[]): string {
  const env = { PATH: '/usr/bin:/bin', HOME: '/nowhere', GIT_CONFIG_NOSYSTEM: '1' }
  const identity = ['-c', 'user.name=A Person', '-c', 'user.email=person@example.test']
  return execFileSync('git', [...identity, ...words], {
    cwd: workspace.root,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  })
}

function state() {
  const tryGit = (...words: string[]) => {
    try {
      return git(...words)
    } catch {
      return 'none'
    }
  }
  return {
    status: git('status', '--porcelain=v2', '--branch'),
    tree: git('write-tree'),
    refs: tryGit('show-ref'),
    head: tryGit('symbolic-ref', 'HEAD'),
  }
}

beforeEach(() => {
  workspace = createBareWorkspace()
  git('init', '--quiet', '--initial-branch=main')
})
afterEach(() => workspace.remove())

function commitOne(path = 'a.txt', text = 'one\n') {
  put(path, text)
  git('add', '--', path)
  git('commit', '--quiet', '--message', `Add ${path}`)
}

const use = async (tool: ToolDefinition, args: JsonObject = {}) => (await workspace.use(tool, args)).result

async function undo({ undo: call }: ToolResult): Promise<ToolResult> {
  const tool = gitTools.find(({ name }) => name === call?.tool)
  if (!tool || !call) throw new Error('no undo')
  return use(tool, JSON.parse(call.args) as JsonObject)
}

describe('looking at a repository', () => {
  it('tells status, differences and history', async () => {
    commitOne()
    put('a.txt', 'two\n')
    put('new file.txt', '')
    expect((await use(gitStatus)).text).toBe('## main\n M a.txt\n?? "new file.txt"')
    expect((await use(gitDiff)).text).toContain('-one\n+two')
    expect((await use(gitDiff, { staged: true })).text).toBe('Nothing differs.')
    expect((await use(gitDiff, { from: 'HEAD', files: ['a.txt'] })).text).toContain('+two')
    expect((await use(gitLog)).text).toMatch(/^[0-9a-f]{7} .* A Person\n {2}Add a.txt$/)
    expect((await use(gitBranch)).text).toMatch(/^\* main [0-9a-f]{7} Add a.txt$/)
  })

  it('is free of effects and binds the state it sees', async () => {
    commitOne()
    const found = await workspace.resolve(gitStatus, {})
    expect(found).toMatchObject({
      effects: [{ verb: 'read', scope: 'inside', reversible: true }],
      resources: [
        { type: 'exec', uninspectable: false, cwd: '.' },
        { path: '.git/HEAD' },
        { path: '.git/config' },
        { path: '.git/commondir', identity: 'absent' },
      ],
    })
  })

  it('gives at most fifty commits', async () => {
    expect(parseArgs(gitLog, { limit: 1000 })).toMatchObject({ args: { limit: 50 } })
    expect(parseArgs(gitLog, {})).toMatchObject({ args: { limit: 10 } })
    commitOne('a.txt')
    commitOne('b.txt')
    expect((await use(gitLog, { limit: 1 })).text.split('\n')).toHaveLength(2)
  })

  it('works in a repository below the workspace, and refuses a folder without one', async () => {
    mkdirSync(at('below/inner'), { recursive: true })
    git('init', '--quiet', 'below')
    expect((await use(gitStatus, { path: 'below' })).ok).toBe(true)
    for (const path of ['below/inner', 'missing', '/etc', '..'])
      expect(await workspace.resolve(gitStatus, { path })).toMatchObject({ kind: 'invalid' })
    writeFileSync(at('below/.git/commondir'), '../../.git')
    expect(await workspace.resolve(gitStatus, { path: 'below' })).toMatchObject({ kind: 'invalid' })
  })

  it('says why when git fails', async () => {
    expect(await use(gitLog)).toMatchObject({ ok: false, text: expect.stringContaining('HEAD') })
  })
})

describe('what names a commit or a branch', () => {
  it('is never an option, a range or a path', () => {
    const from = (text: string) => parseArgs(gitDiff, { from: text }).kind
    for (const text of ['HEAD', 'main', 'v1.2.3', 'feature/a-b', 'HEAD~2^', 'a'.repeat(40), 'origin/main'])
      expect(from(text), text).toBe('args')
    for (const text of ['-p', '--output=x', 'a..b', 'HEAD:secret', 'a b', '@{-1}', 'a\n', 'x.lock', '/a', ''])
      expect(from(text), text).toBe('invalid')
    expect(parseArgs(gitBranch, { action: 'create', name: 'HEAD~1' }).kind).toBe('invalid')
    expect(parseArgs(gitBranch, { action: 'create' }).kind).toBe('invalid')
    expect(parseArgs(gitBranch, { name: 'x' }).kind).toBe('invalid')
  })

  it('does not let a file name be taken for an option or a pattern', async () => {
    put('--all', 'x')
    put(':(glob)star', 'x')
    put('other', 'x')
    expect((await use(gitAdd, { files: ['--all', ':(glob)star'] })).ok).toBe(true)
    expect(git('ls-files')).toBe('--all\n:(glob)star\n')
  })
})

describe('a change of a repository', () => {
  const scenes: [string, () => void, ToolDefinition, JsonObject][] = [
    ['git_add of a new file', () => put('n.txt', 'new'), gitAdd, { files: ['n.txt'] }],
    ['git_add of a change', () => put('a.txt', 'changed'), gitAdd, { files: ['.'] }],
    ['git_add of a deletion', () => rmSync(at('a.txt')), gitAdd, { files: ['a.txt'] }],
    [
      'git_commit',
      () => {
        put('n.txt', 'new')
        git('add', 'n.txt')
        put('a.txt', 'not staged')
      },
      gitCommit,
      { message: 'Add n\n\nWith a body.' },
    ],
    [
      'git_commit on a packed branch',
      () => {
        git('pack-refs', '--all')
        put('n.txt', 'new')
        git('add', 'n.txt')
      },
      gitCommit,
      { message: 'Add n' },
    ],
    [
      'git_commit on a detached head',
      () => {
        git('checkout', '--quiet', '--detach')
        put('n.txt', 'new')
        git('add', 'n.txt')
      },
      gitCommit,
      { message: 'Add n' },
    ],
    ['git_branch create', () => undefined, gitBranch, { action: 'create', name: 'topic/one' }],
    [
      'git_branch delete',
      () => void git('branch', 'topic', 'HEAD'),
      gitBranch,
      { action: 'delete', name: 'topic' },
    ],
    [
      'git_checkout of a branch',
      () => {
        git('checkout', '--quiet', '-b', 'other')
        commitOne('other.txt')
        git('checkout', '--quiet', 'main')
        put('untracked.txt', '')
      },
      gitCheckout,
      { target: 'other' },
    ],
    ['git_checkout of a commit', () => commitOne('second.txt'), gitCheckout, { target: 'HEAD~1' }],
  ]

  it.each(scenes)('by %s is reversible, and undone leaves all as it was', async (_, scene, tool, args) => {
    commitOne()
    scene()
    const found = await workspace.resolve(tool, args)
    if (found.kind !== 'found') throw new Error(found.reason)
    for (const effect of found.effects) expect(effect).toMatchObject({ reversible: true, scope: 'inside' })
    const before = state()
    const result = await use(tool, args)
    expect(result, result.text).toMatchObject({ ok: true })
    const after = state()
    expect(after).not.toEqual(before)
    const undone = await undo(result)
    expect(undone, undone.text).toMatchObject({ ok: true })
    expect(state()).toEqual(before)
    await undo(undone)
    expect({ ...state(), head: '' }).toEqual({ ...after, head: '' })
  })

  it('by the first commit can be undone', async () => {
    put('a.txt', 'one')
    await use(gitAdd, { files: ['a.txt'] })
    const before = state()
    const result = await use(gitCommit, { message: 'First' })
    expect(git('log', '--format=%an <%ae> %s')).toBe('Countersign <countersign@localhost> First\n')
    await undo(result)
    expect(state()).toEqual(before)
  })

  it('is not undone over what came later', async () => {
    commitOne()
    put('b.txt', '')
    put('c.txt', '')
    const added = await use(gitAdd, { files: ['b.txt'] })
    git('add', 'c.txt')
    expect(await undo(added)).toMatchObject({ ok: false, text: expect.stringContaining('since') })
    const committed = await use(gitCommit, { message: 'Two' })
    commitOne('d.txt')
    await expect(undo(committed)).rejects.toThrow('moved on')
    const made = await use(gitBranch, { action: 'create', name: 'topic' })
    git('checkout', '--quiet', 'topic')
    await expect(undo(made)).rejects.toThrow('checked out')
  })

  it('by a commit takes the author from the call, then from the repository', async () => {
    const author = () => git('log', '-1', '--format=%an <%ae>').trim()
    put('a.txt', '')
    await use(gitAdd, { files: ['a.txt'] })
    await use(gitCommit, { message: 'One', author_name: 'Ada', author_email: 'ada@example.test' })
    expect(author()).toBe('Ada <ada@example.test>')
    git('config', 'user.name', 'Repo')
    git('config', 'user.email', 'repo@example.test')
    put('b.txt', '')
    await use(gitAdd, { files: ['b.txt'] })
    await use(gitCommit, { message: 'Two' })
    expect(author()).toBe('Repo <repo@example.test>')
  })

  it('fails with the reason when there is nothing to commit or a merge is under way', async () => {
    commitOne()
    expect(await use(gitCommit, { message: 'x' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('nothing to commit'),
    })
    writeFileSync(at('.git/MERGE_HEAD'), `${'0'.repeat(40)}\n`)
    expect(await workspace.resolve(gitCommit, { message: 'x' })).toMatchObject({ kind: 'invalid' })
  })

  it('refuses to make a branch twice, or to delete a missing or the current one', async () => {
    commitOne()
    for (const args of [
      { action: 'create', name: 'main' },
      { action: 'delete', name: 'main' },
      { action: 'delete', name: 'missing' },
    ])
      expect(await workspace.resolve(gitBranch, args)).toMatchObject({ kind: 'invalid' })
  })

  it('by checkout needs files without changes, and overwrites nothing that is ignored', async () => {
    commitOne()
    git('checkout', '--quiet', '-b', 'other')
    commitOne('ignored.txt', 'theirs')
    git('checkout', '--quiet', 'main')
    put('a.txt', 'changed')
    expect(await use(gitCheckout, { target: 'other' })).toMatchObject({ ok: false })
    git('checkout', '--quiet', '--', 'a.txt')
    appendFileSync(at('.git/info/exclude'), 'ignored.txt\n')
    put('ignored.txt', 'mine')
    expect(await use(gitCheckout, { target: 'other' })).toMatchObject({ ok: false })
    expect(git('symbolic-ref', '--short', 'HEAD')).toBe('main\n')
  })

  it('by checkout brings nothing that programs on the host run, unless the call says so', async () => {
    commitOne()
    mkdirSync(at('bare'))
    commitOne('bare/HEAD', 'ref: refs/heads/main\n')
    for (const [branch, path] of [
      ['tasks', '.envrc'],
      ['build', 'Makefile'],
      ['settings', 'bare/config'],
      ['words', 'notes.txt'],
    ] as const) {
      git('checkout', '--quiet', '-b', branch, 'main')
      commitOne(path, branch)
      git('checkout', '--quiet', 'main')
    }
    for (const target of ['tasks', 'build', 'settings'])
      expect(await use(gitCheckout, { target })).toMatchObject({
        ok: false,
        text: expect.stringContaining('Call it again with programs: true'),
      })
    expect(await use(gitCheckout, { target: 'words' })).toMatchObject({ ok: true })
    git('checkout', '--quiet', 'main')
    const args = { target: 'tasks', programs: true }
    expect(await workspace.resolve(gitCheckout, args)).toMatchObject({ effects: [{ scope: 'boundary' }] })
    const result = await use(gitCheckout, args)
    expect(existsSync(at('.envrc'))).toBe(true)
    expect(await undo(result)).toMatchObject({ ok: true })
  })

  it('by checkout looks through the branch itself where git reads its name in another way, too', async () => {
    commitOne()
    git('checkout', '--quiet', '-b', 'tasks')
    commitOne('.envrc', 'tasks')
    git('checkout', '--quiet', 'main')
    git('tag', 'release')
    for (const target of ['heads/main', 'release', 'ORIG_HEAD']) {
      git('update-ref', `refs/heads/${target}`, 'refs/heads/tasks')
      expect(await use(gitCheckout, { target })).toMatchObject({ ok: false })
      expect(existsSync(at('.envrc'))).toBe(false)
    }
  })

  it('by checkout of files is irreversible and throws their changes away', async () => {
    commitOne()
    put('a.txt', 'changed')
    const args = { target: 'HEAD', files: ['a.txt'] }
    expect(await workspace.resolve(gitCheckout, args)).toMatchObject({
      effects: [{ verb: 'write', reversible: false, object: './a.txt' }],
    })
    expect(await use(gitCheckout, args)).toMatchObject({ ok: true, undo: null })
    expect(git('status', '--porcelain')).toBe('')
  })
})

describe('a commit whose end nobody saw', () => {
  const args = { message: 'Add n', path: '.', author_name: null, author_email: null }

  async function probe(between: () => Promise<unknown>): Promise<ToolResult | undefined> {
    const found = await workspace.resolve(gitCommit, args)
    if (found.kind !== 'found' || gitCommit.runs !== 'executor') throw new Error('not found')
    await between()
    return gitCommit.probe?.(args, workspace.capabilitiesFor(found.resources))
  }

  for (const [name, scene] of [
    ['a branch', () => undefined],
    ['a packed branch', () => void git('pack-refs', '--all')],
  ] as const) {
    it(`on ${name} is told from one that was not made and from another`, async () => {
      commitOne()
      put('n.txt', 'new')
      git('add', 'n.txt')
      scene()
      const old = git('rev-parse', 'HEAD').trim()
      expect(await probe(async () => undefined)).toMatchObject({ ok: false })
      const done = await probe(() => use(gitCommit, args))
      expect(done).toMatchObject({ ok: true, undo: { tool: 'git_undo_commit' } })
      expect(done?.undo?.args).toContain(old)
      expect(await probe(async () => commitOne('other.txt'))).toBeUndefined()
    })
  }

  it('that would have been the first is known as well', async () => {
    put('n.txt', 'new')
    git('add', 'n.txt')
    expect(await probe(async () => undefined)).toMatchObject({ ok: false })
    expect(await probe(() => use(gitCommit, args))).toMatchObject({ ok: true })
  })
})

describe('a repository that names programs', () => {
  const canary = () => at('canary')
  const script = () => {
    const path = at('evil.sh')
    writeFileSync(path, `#!/bin/sh\necho "$0 $*" >> ${canary()}\ncat\n`)
    chmodSync(path, 0o755)
    return path
  }

  function plant() {
    const evil = script()
    commitOne()
    for (const hook of [
      'pre-commit',
      'prepare-commit-msg',
      'commit-msg',
      'post-commit',
      'post-checkout',
      'post-index-change',
      'reference-transaction',
      'pre-auto-gc',
      'fsmonitor-watchman',
    ]) {
      writeFileSync(at(`.git/hooks/${hook}`), `#!/bin/sh\nexec ${evil} ${hook}\n`)
      chmodSync(at(`.git/hooks/${hook}`), 0o755)
    }
    for (const [key, value] of [
      ['core.fsmonitor', evil],
      ['core.hooksPath', at('.git/hooks')],
      ['core.pager', evil],
      ['core.editor', evil],
      ['core.sshCommand', evil],
      ['core.askPass', evil],
      ['pager.log', evil],
      ['alias.status', `!${evil}`],
      ['alias.log', `!${evil}`],
      ['diff.external', evil],
      ['diff.evil.textconv', evil],
      ['diff.evil.command', evil],
      ['gpg.program', evil],
      ['commit.gpgSign', 'true'],
      ['log.showSignature', 'true'],
      ['gc.auto', '1'],
      ['credential.helper', evil],
      ['interactive.diffFilter', evil],
    ] as const)
      git('config', key, value)
    put('.gitattributes', '* diff=evil filter=evil\n')
    put('a.txt', 'changed\n')
    return evil
  }

  const lookAll = async () => {
    const looks: [ToolDefinition, JsonObject][] = [
      [gitStatus, {}],
      [gitDiff, {}],
      [gitDiff, { from: 'HEAD' }],
      [gitLog, { files: ['a.txt'] }],
      [gitBranch, {}],
    ]
    for (const [tool, args] of looks) expect(await use(tool, args)).toMatchObject({ ok: true })
  }

  it('runs none of them on status, diff, log, add, commit, branch and checkout', async () => {
    plant()
    await lookAll()
    expect((await use(gitAdd, { files: ['a.txt'] })).ok).toBe(true)
    expect((await use(gitCommit, { message: 'x' })).ok).toBe(true)
    expect((await use(gitBranch, { action: 'create', name: 'topic' })).ok).toBe(true)
    expect((await use(gitCheckout, { target: 'topic' })).ok).toBe(true)
    expect(existsSync(canary())).toBe(false)
    git('status')
    expect(existsSync(canary()), 'git without the switches does run them').toBe(true)
  })

  it('has its filters left out of a look, and an add through them counts as running programs', async () => {
    const evil = plant()
    git('config', 'filter.evil.clean', evil)
    git('config', 'filter.evil.smudge', evil)
    git('config', 'filter.evil.process', evil)
    git('config', 'filter.evil.required', 'true')
    git('config', '--unset', 'core.fsmonitor')
    rmSync(canary(), { force: true })
    await lookAll()
    expect((await use(gitCommit, { message: 'x' })).text).not.toContain('filter')
    expect(existsSync(canary())).toBe(false)
    const changes: [ToolDefinition, JsonObject][] = [
      [gitAdd, { files: ['a.txt'] }],
      [gitCheckout, { target: 'main' }],
    ]
    for (const [tool, args] of changes) {
      expect(await workspace.resolve(tool, args)).toMatchObject({
        effects: [{ verb: 'write' }, { verb: 'execute', reversible: false }],
        resources: expect.arrayContaining([expect.objectContaining({ uninspectable: true })]),
      })
    }
    expect(await workspace.resolve(gitStatus, {})).toMatchObject({ effects: [{ verb: 'read' }] })
  })

  it.each([
    '[include]\n\tpath = ../evil\n',
    '[INCLUDE] path = ../evil\n',
    '[includeIf "gitdir:**"]\n\tpath = ../evil\n',
    '[filter.evil]\n\tclean = evil\n',
    '[filter "e=vil"]\n\tclean = evil\n',
    '[protocol "ext"]\n\tallow = always\n',
    '[extensions]\n\tworktreeConfig = true\n',
    '[remote "x"]\n\tpromisor = true\n',
    '[hook "x"]\n\tcommand = evil\n',
    '[core]x=y[include]path=z\n',
  ])('by settings that cannot be switched off asks before a look: %j', async (text) => {
    commitOne()
    appendFileSync(at('.git/config'), text)
    expect(await workspace.resolve(gitStatus, {})).toMatchObject({
      effects: [{ verb: 'read' }, { verb: 'execute' }],
      resources: [{ type: 'exec', uninspectable: true }, {}, {}, {}],
    })
  })
})
