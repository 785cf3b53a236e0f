/** Runs Python in the sandbox, without network. */
import { interpreterTool } from './interpreter.ts'
import { importsPackages } from './program-needs.ts'
import { pipFolder } from './python-packages.ts'

/** Runs its standard input, with what package_manager installed at the end of the search path. */
const withPackages = [
  'import os, sys',
  `sys.path.append(os.path.join(os.getcwd(), '${pipFolder}'))`,
  "exec(compile(sys.stdin.buffer.read(), '<stdin>', 'exec'))",
].join('; ')

export const executePython = interpreterTool({
  name: 'execute_python',
  version: '6',
  description: 'Run Python 3 in the workspace, sandboxed, without network. Print what matters.',
  tags: ['python', 'py', 'run', 'script', 'program', 'data', 'plot', 'chart', 'pandas', 'snippet'],
  language: 'Python',
  program: 'Python',
  // Isolated: no module of the workspace takes the place of one of the library. Installed packages come after those.
  argv: ['python3', '-I', '-c', withPackages],
  fix: 'apt-get install python3',
  packagesFor: (code) => (importsPackages(code) ? ['python'] : []),
})
