/** Runs Python in the sandbox, without network. */
import { interpreterTool } from './interpreter.ts'

export const executePython = interpreterTool({
  name: 'execute_python',
  version: '5',
  description: 'Run Python 3 in the workspace, sandboxed, without network. Print what matters.',
  tags: ['python', 'py', 'run', 'script', 'program', 'data', 'plot', 'chart', 'pandas', 'snippet'],
  language: 'Python',
  program: 'Python',
  // Isolated: no module of the workspace takes the place of one of the library.
  argv: ['python3', '-I', '-'],
  fix: 'apt-get install python3',
  // Isolated, it finds packages of the workspace only where its code says their folder.
  loadsPackages: () => false,
})
