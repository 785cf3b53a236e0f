/** Runs JavaScript with Node.js in the sandbox, without network. */
import { interpreterTool } from './interpreter.ts'
import { loadsModules } from './program-needs.ts'

export const executeJavascript = interpreterTool({
  name: 'execute_javascript',
  version: '6',
  description:
    'Run JavaScript with Node.js in the workspace, sandboxed, without network. Print what matters.',
  tags: ['javascript', 'js', 'node', 'run', 'script', 'program', 'eval', 'snippet', 'try code'],
  language: 'JavaScript',
  program: 'Node.js',
  // Found as any program; where the host has none, the sandbox has the one that runs Countersign.
  argv: ['node', '-'],
  fix: 'apt-get install nodejs',
  packagesFor: (code) => (loadsModules(code) ? ['javascript'] : []),
})
