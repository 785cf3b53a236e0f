/** Owns what an attempt to get out of a sandbox is, and how its text becomes a command. */
import type { SandboxProfile } from '../../../../../packages/executor/src/sandbox/port.ts'

/** What is outside, and where. Everything that must not be reached holds `token`. */
export interface SandboxScene {
  readonly token: string
  /** By which something that an attempt leaves behind is recognised. It is no secret. */
  readonly mark: string
  /** Files outside the sandbox, by their paths on the host. */
  readonly outside: string
  readonly home: string
  readonly folder: string
  readonly workspace: string
  readonly tcpPort: number
  readonly tcp6Port: number
  readonly udpPort: number
  readonly unixPath: string
  readonly abstractName: string
  /** A process of the host that has the token among its words. */
  readonly pid: number
  /** An address of this host that is not loopback. */
  readonly address: string
  /** Named by the permit and opened by the operator. */
  readonly allowedPort: number
  /** Opened by the operator, and not named by the permit. */
  readonly forbiddenPort: number
}

export interface EscapeAttempt {
  readonly name: string
  readonly language: 'sh' | 'python' | 'node' | 'c'
  /** For `c` the name of a function in `escape.c`. */
  readonly script: string | ((scene: SandboxScene) => string)
  readonly profile?: SandboxProfile
  readonly env?: (scene: SandboxScene) => Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

/** Printed by an attempt that was made, so that one with a mistake in it is not counted. */
export const triedMark = 'TRIED-IT'
/** Printed by an attempt that saw itself succeed at what leaves no trace outside. */
export const escapedMark = 'GOT-OUT'

export function argvOf(attempt: EscapeAttempt, scene: SandboxScene): string[] {
  const text = typeof attempt.script === 'string' ? attempt.script : attempt.script(scene)
  switch (attempt.language) {
    case 'sh':
      return ['/bin/sh', '-c', `(\n${text}\n)\necho ${triedMark}`]
    case 'python':
      return ['/usr/bin/python3', '-c', `${pythonPrelude}\ntry:\n${indented(text)}\n${pythonEnd}`]
    case 'node':
      return ['/opt/node/bin/node', '-e', `${nodePrelude}\n${text}`]
    case 'c':
      return ['/workspace/escape', text, String(scene.pid)]
  }
}

const pythonPrelude = `
import array, ctypes, fcntl, glob, mmap, os, resource, signal, socket, struct, subprocess, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *words):
    ctypes.set_errno(0)
    return libc.syscall(ctypes.c_long(number), *[ctypes.c_long(w) if isinstance(w, int) else w for w in words])
def out(what=''):
    print('${escapedMark}', what, flush=True)
def show(path, mode='rb'):
    with open(path, mode) as file: print(file.read(100000))
def each(paths, work):
    for path in paths:
        try: work(path)
        except OSError: pass`

const pythonEnd = `except BaseException as problem:
    print('refused:', type(problem).__name__, problem)
    if isinstance(problem, (SyntaxError, NameError, AttributeError, TypeError)): raise
print('${triedMark}', flush=True)`

const nodePrelude = `process.on('exit', () => console.log('${triedMark}'))
process.on('uncaughtException', (problem) => console.log('refused:', problem.message))
const out = (what) => console.log('${escapedMark}', what)`

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
}
