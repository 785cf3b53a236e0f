#!/usr/bin/env node
/** The countersign-verify program. */
import { createReadStream } from 'node:fs'
import { runCommand } from './command.ts'

process.exitCode = await runCommand(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
  open: (path) => (path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 1 << 20 })),
})
