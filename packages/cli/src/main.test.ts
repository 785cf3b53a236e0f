import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test.each(['20.20.2', '24.15.0', '25.1.0'])('Node.js %s is told which one is needed', async (version) => {
  const older = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`
  const program = fileURLToPath(new URL('main.ts', import.meta.url))
  const left = await new Promise((resolve) =>
    execFile(
      process.execPath,
      ['--import', `data:text/javascript,${older}`, program, 'version'],
      (error, output, errors) => resolve({ code: error?.code, output, errors }),
    ),
  )
  expect(left).toEqual({
    code: 1,
    output: '',
    errors: `countersign: this is Node.js ${version}, which cannot run it. Install Node.js 24.16 or newer within 24, or 26.1 or newer.\n`,
  })
})
