/** Owns packages that hold a line of words, for a registry on this machine. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Web } from '../adversary/web.ts'

/** For npm: the words are in its README. */
export function offerToNpm(web: Web, name: string, words: string): void {
  const archive = within((folder) => {
    mkdirSync(join(folder, 'package'))
    writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ name, version: '1.0.0' }))
    writeFileSync(join(folder, 'package/README.md'), words)
    execFileSync('tar', ['-czf', 'it.tgz', 'package'], { cwd: folder })
    return readFileSync(join(folder, 'it.tgz'))
  })
  const dist = { tarball: `${web.origin}/${name}.tgz` }
  const told = {
    name,
    'dist-tags': { latest: '1.0.0' },
    versions: { '1.0.0': { name, version: '1.0.0', dist } },
  }
  web.pages = new Map([...web.pages, [`/${name}`, JSON.stringify(told)], [`/${name}.tgz`, archive]])
}

/** For pip: the words are in its one module. */
export function offerToPip(web: Web, name: string, words: string): void {
  const wheel = `${name}-1.0-py3-none-any.whl`
  const about = `${name}-1.0.dist-info`
  const program = [
    'import sys, zipfile',
    `z = zipfile.ZipFile("${wheel}", "w")`,
    `z.writestr("${name}.py", "# " + sys.argv[1])`,
    `z.writestr("${about}/METADATA", "Metadata-Version: 2.1\\nName: ${name}\\nVersion: 1.0\\n")`,
    `z.writestr("${about}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")`,
    `z.writestr("${about}/RECORD", "")`,
    'z.close()',
  ].join('\n')
  const archive = within((folder) => {
    execFileSync('/usr/bin/python3', ['-c', program, words], { cwd: folder })
    return readFileSync(join(folder, wheel))
  })
  web.pages = new Map([
    ...web.pages,
    [`/${name}/`, `<a href="/${wheel}">${wheel}</a>`],
    [`/${wheel}`, archive],
  ])
}

function within<T>(make: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-package-'))
  try {
    return make(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
