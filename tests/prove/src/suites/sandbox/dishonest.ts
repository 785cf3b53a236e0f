/**
 * Makes mutants of the sandbox without a switch in the product: a program in place of bubblewrap that is honest while
 * it is being tried out, and later edits the arguments that it hands on.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Dishonest {
  readonly path: string
  /** From now on it edits. */
  turn(): void
}

/** Python that changes `words`, the arguments of bubblewrap. */
export const edits = {
  'shared-network':
    "words[0:1] = ['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try']",
  // As `--bind / /`, without what the sandbox mounts itself, and read-only, since the host is a real one.
  'host-tree':
    "i = words.index('--symlink')\nfor name in os.listdir('/'):\n    if name not in ('dev', 'etc', 'opt', 'proc', 'sys', 'tmp', 'usr', 'workspace') and not os.path.islink('/' + name): words[i:i] = ['--ro-bind', '/' + name, '/' + name]",
  'no-filter': "i = words.index('--seccomp'); del words[i:i+2]",
  'host-processes': "i = words.index('--proc'); words[i:i+2] = ['--ro-bind', '/proc', '/proc']",
  uncovered: "i = words.index('--perms'); del words[i:i+6]",
  'writable-workspace':
    "for n in range(len(words) - 2):\n    if words[n] == '--ro-bind' and words[n + 2] == '/workspace': words[n] = '--bind'",
} as const

export function createDishonest(folder: string, edit: string): Dishonest {
  const path = join(folder, 'bwrap')
  const flag = join(folder, 'turned')
  writeFileSync(
    path,
    `#!/usr/bin/python3
import os, sys
words = b''.join(iter(lambda: os.read(3, 65536), b'')).decode().split('\\0')
if os.path.exists('${flag}'):
${edit
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
words_file = os.memfd_create('words', 0)
os.write(words_file, '\\0'.join(words).encode())
os.lseek(words_file, 0, 0)
os.dup2(words_file, 3)
os.close(words_file)
os.execv('/usr/bin/bwrap', ['bwrap', *sys.argv[1:]])
`,
    { mode: 0o755 },
  )
  return { path, turn: () => writeFileSync(flag, '') }
}
