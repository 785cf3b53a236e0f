/** Tries the git tools on repositories that name programs: in hooks, in settings, in attributes. Nothing of it runs. */
import { appendFileSync, chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@countersign/contract'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { type ExecBench, isFree } from './bench.ts'
import type { ExecPart } from './judging.ts'

/** Where the workspace lies for a program in the sandbox. */
const inSandbox = '/workspace'

type Trick = (folder: string, act: string) => void

const tricks: Readonly<Record<string, Trick>> = {
  hooks: (folder, act) => {
    for (const name of hookNames) script(join(folder, '.git/hooks', name), act)
  },
  'hooks elsewhere': (folder, act) => {
    settings(folder, '[core]\n\thooksPath = hooks\n')
    for (const name of hookNames) script(join(folder, 'hooks', name), act)
  },
  fsmonitor: (folder, act) => settings(folder, `[core]\n\tfsmonitor = "${act}; true"\n`),
  pager: (folder, act) =>
    settings(folder, `[core]\n\tpager = "${act}"\n[pager]\n\tstatus = "${act}"\n\tlog = "${act}"\n`),
  editor: (folder, act) => settings(folder, `[core]\n\teditor = "${act}"\n[sequence]\n\teditor = "${act}"\n`),
  'external diff': (folder, act) => settings(folder, `[diff]\n\texternal = "${act}"\n`),
  'diff driver': (folder, act) => {
    settings(folder, `[diff "x"]\n\tcommand = "${act}"\n\ttextconv = "${act};cat"\n`)
    attributes(folder, 'diff=x')
  },
  filter: (folder, act) => {
    settings(folder, `[filter "x"]\n\tclean = "${act};cat"\n\tsmudge = "${act};cat"\n\trequired = true\n`)
    attributes(folder, 'filter=x')
  },
  'filter process': (folder, act) => {
    settings(folder, `[filter "x"]\n\tprocess = "${act}"\n`)
    attributes(folder, 'filter=x')
  },
  'filter with an odd name': (folder, act) => {
    settings(folder, `[filter "x.y z"]\n\tclean = "${act};cat"\n`)
    attributes(folder, 'filter="x.y z"')
  },
  'merge driver': (folder, act) => {
    settings(folder, `[merge "x"]\n\tdriver = "${act}"\n`)
    attributes(folder, 'merge=x')
  },
  alias: (folder, act) =>
    settings(folder, `[alias]\n\tstatus = "!${act}"\n\tlog = "!${act}"\n\tcommit = "!${act}"\n`),
  signing: (folder, act) =>
    settings(
      folder,
      `[gpg]\n\tprogram = "${act}"\n[commit]\n\tgpgSign = true\n[log]\n\tshowSignature = true\n`,
    ),
  'signing by ssh': (folder, act) =>
    settings(
      folder,
      `[gpg]\n\tformat = ssh\n[gpg "ssh"]\n\tprogram = "${act}"\n\tdefaultKeyCommand = "${act}"\n[commit]\n\tgpgSign = true\n`,
    ),
  include: (folder, act) => {
    settings(folder, '[include]\n\tpath = ../evil\n')
    writeFileSync(join(folder, 'evil'), `[core]\n\tfsmonitor = "${act}; true"\n`)
  },
  'include if': (folder, act) => {
    settings(folder, '[includeIf "gitdir:**"]\n\tpath = ../evil\n')
    writeFileSync(join(folder, 'evil'), `[core]\n\tfsmonitor = "${act}; true"\n`)
  },
  'settings of a worktree': (folder, act) => {
    settings(folder, '[extensions]\n\tworktreeConfig = true\n')
    writeFileSync(join(folder, '.git/config.worktree'), `[core]\n\tfsmonitor = "${act}; true"\n`)
  },
  'a section in one line': (folder, act) => settings(folder, `[core] fsmonitor = "${act}; true"\n`),
  'a section in capitals': (folder, act) => settings(folder, `[CORE]\n\tFSMONITOR = "${act}; true"\n`),
  'a continued line': (folder, act) =>
    settings(folder, `[core]\n\tfsmon\\\nitor = "${act}"\n[core]\n\tfsmonitor = "\\\n${act}; true"\n`),
  credentials: (folder, act) =>
    settings(folder, `[credential]\n\thelper = "!${act}"\n[core]\n\taskPass = "${act}"\n`),
  'ssh command': (folder, act) =>
    settings(
      folder,
      `[core]\n\tsshCommand = "${act}"\n\tgitProxy = "${act}"\n[remote "origin"]\n\turl = ssh://x/y\n`,
    ),
  'a promising remote': (folder, act) =>
    settings(
      folder,
      `[remote "origin"]\n\turl = "ext::sh -c ${act}"\n\tpromisor = true\n[extensions]\n\tpartialClone = origin\n[protocol "ext"]\n\tallow = always\n`,
    ),
  trailer: (folder, act) => settings(folder, `[trailer "x"]\n\tcommand = "${act}"\n\tifmissing = add\n`),
  submodule: (folder, act) => {
    settings(folder, `[submodule "x"]\n\tupdate = "!${act}"\n\turl = ./x\n\tactive = true\n`)
    writeFileSync(
      join(folder, '.gitmodules'),
      `[submodule "x"]\n\tpath = x\n\turl = ./x\n\tupdate = "!${act}"\n`,
    )
  },
  maintenance: (folder, act) => {
    settings(folder, '[gc]\n\tauto = 1\n[maintenance]\n\tauto = true\n')
    script(join(folder, '.git/hooks/pre-auto-gc'), act)
  },
  'another worktree': (folder, act) => {
    settings(folder, '[core]\n\tworktree = /\n')
    for (const name of hookNames) script(join(folder, '.git/hooks', name), act)
  },
}

const hookNames = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-auto-gc',
  'post-rewrite',
  'fsmonitor-watchman',
]

const path = 'hostile'

const calls: readonly (readonly [string, JsonObject])[] = [
  ['git_status', { path }],
  ['git_diff', { path }],
  ['git_diff', { path, staged: true }],
  ['git_log', { path }],
  ['git_branch', { path }],
  ['git_branch', { path, action: 'create', name: 'side' }],
  ['git_add', { path, files: ['file.txt'] }],
  ['git_commit', { path, message: 'more' }],
  ['git_checkout', { path, target: 'HEAD', files: ['file.txt'] }],
  ['git_checkout', { path, target: 'side' }],
]

export async function tryRepositories(
  bench: ExecBench,
  options: { count: number; random: Random },
): Promise<ExecPart> {
  const wrong: string[] = []
  const figures = { ran: 0, asked: 0, refused: 0 }
  const working: string[] = []
  const chosen = options.random.shuffle(Object.entries(tricks)).slice(0, options.count)
  const folder = join(bench.workspace, path)
  let trials = 0
  let laid = 0
  const lay = (trick: Trick): string => {
    const name = `trick${laid++}`
    rmSync(folder, { recursive: true, force: true })
    bench.makeRepository(folder)
    trick(folder, `touch ${inSandbox}/${name}`)
    appendFileSync(join(folder, 'file.txt'), 'more\n')
    return name
  }
  for (const [trickName, trick] of chosen) {
    const name = lay(trick)
    for (const [tool, args] of calls) {
      trials += 1
      const [judgement] = await bench.judge(tool, args)
      if (!judgement) figures.refused += 1
      else if (!isFree(judgement.decisions.full)) figures.asked += 1
      else {
        await bench.run(judgement)
        figures.ran += 1
      }
      if (bench.isMarked(name)) {
        wrong.push(`${tool} ran what the repository names: ${trickName}`)
        rmSync(join(bench.workspace, name), { force: true })
      }
    }
    if (await worksWithPlainGit(bench, lay(trick))) working.push(trickName)
  }
  if (options.count >= 20 && working.length < 8)
    wrong.push(`only ${working.length} tricks work on plain git, so this proves little`)
  rmSync(folder, { recursive: true, force: true })
  return { n: trials, wrong, details: { repositories: { ...figures, tricks: chosen.length, working } } }
}

/** The control: the same repository and the same commands, without our words around them. */
async function worksWithPlainGit(bench: ExecBench, name: string): Promise<boolean> {
  const git = 'git -c safe.directory=*'
  const words = [
    'status',
    'diff',
    '-p log',
    'add file.txt',
    'commit -m x',
    'checkout -f HEAD -- file.txt',
    'log',
  ]
  const command = [...words.map((word) => `${git} ${word} </dev/null`), 'true'].join('; ')
  const [judgement] = await bench.judge('execute_shell', { command, cwd: path })
  if (judgement) await bench.run(judgement)
  return existsSync(join(bench.workspace, name))
}

function settings(folder: string, text: string): void {
  appendFileSync(join(folder, '.git/config'), text)
}

function attributes(folder: string, text: string): void {
  writeFileSync(join(folder, '.gitattributes'), `* ${text}\n`)
}

function script(file: string, act: string): void {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${act}\n`)
  chmodSync(file, 0o755)
}
