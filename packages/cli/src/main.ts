#!/usr/bin/env node
/** The command `countersign`. Constructs the host, runs one command, and leaves with its exit code. */
import { mkdirSync } from 'node:fs'
import module from 'node:module'
import { fitsNode, neededNode } from '@countersign/contract/node'
import { systemHost } from './host.ts'
import { folderProblem } from './signed-lease.ts'

if (!fitsNode(process.versions.node)) {
  process.stderr.write(
    `countersign: this is Node.js ${process.versions.node}, which cannot run it. Install ${neededNode}.\n`,
  )
  process.exit(1)
}
const host = systemHost()
keepCompiledCode(host.environment.cache)
const { run } = await import('./program.ts')

// Whoever reads our output may stop early; that is their right and no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})
process.exitCode = await run(process.argv.slice(2), host)

/** Halves the time to the first output. The folder must be the operator's own, since what is in it gets run. */
function keepCompiledCode(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (folderProblem(folder) !== null) return
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return
    throw error
  }
  module.enableCompileCache(folder)
}
