import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BareWorkspace, createBareWorkspace } from '../testing/bare-workspace.ts'
import { importsPackages, loadsModules, viewOfCode, viewOfCommand } from './program-needs.ts'

let workspace: BareWorkspace
beforeEach(() => {
  workspace = createBareWorkspace()
})
afterEach(() => workspace.remove())

const said = (command: string, cwd = '.') => viewOfCommand(command, cwd, workspace.inspect).named
const needs = (command: string) => viewOfCommand(command, '.', workspace.inspect).needs
const saidInCode = (code: string, cwd = '.') => viewOfCode(code, cwd, workspace.inspect, () => []).named

describe('what a command names', () => {
  test.each([
    ['cat notes/page.md', 'notes/page.md'],
    ['cat ./notes/page.md', 'notes/page.md'],
    ['cat notes//page.md', 'notes/page.md'],
    ['cat "my notes/page one.md"', 'my notes/page one.md'],
    ['grep -rn word notes/', 'notes'],
    ['cd notes && cat page.md', 'notes'],
    ['sort < notes/page.md', 'notes/page.md'],
    ['echo hello > notes/page.md', 'notes/page.md'],
    ['PYTHONPATH=python_packages python3 -m pytest', 'python_packages'],
    ['tool --file=notes/page.md', 'notes/page.md'],
    ['cat /workspace/notes/page.md', 'notes/page.md'],
    [`python3 -c "print(open('notes/page.md').read())"`, 'notes/page.md'],
    [`bash -c 'cat notes/page.md'`, 'notes/page.md'],
  ])('%s says %s', (command, path) => expect(said(command)).toContain(path))

  test.each([
    'cat notes/*',
    'cat notes/pag?.md',
    'cat not{e,}s/page.md',
    'cat $FOLDER/page.md',
    'cat ${f}/page.md',
    'n=no; cat ${n}tes/page.md',
    'find . -type f -exec cat {} +',
    'grep -r word .',
    'ls ..',
    'cat /proc/self/root/workspace/notes/page.md',
  ])('%s does not say notes or what is in it', (command) => {
    expect(said(command).filter((path) => path.startsWith('notes'))).toEqual([])
  })

  test('is found from the folder that it works in', () => {
    expect(said('cat page.md ../lab/data.csv', 'notes')).toEqual(
      expect.arrayContaining(['lab/data.csv', 'notes/page.md']),
    )
    expect(said('cat ../../etc/passwd', 'notes')).not.toContain('etc/passwd')
  })

  test('is bounded', () => {
    const many = Array.from({ length: 200 }, (_, index) => `file-${index}`).join(' ')
    expect(said(`cat ${many}`)).toHaveLength(64)
  })
})

describe('what code names', () => {
  test('stands in quotes', () => {
    expect(saidInCode("open('notes/page.md').read()")).toEqual(['notes/page.md'])
    expect(saidInCode('notes = []\nprint(notes)')).toEqual([])
    expect(saidInCode("open('no' + 'tes/page.md')")).not.toContain('notes/page.md')
  })
})

describe('what a command needs', () => {
  test.each([
    ['wc -l a.csv | sort -rn', []],
    ['for f in *.csv; do head -1 "$f"; done', []],
    ['python3 scripts/x.py', []],
    ['TZ=UTC npm test', ['javascript']],
    ['cd api && npx tsc --noEmit', ['javascript']],
    ['make test', ['javascript', 'other', 'python']],
    ['./run.sh', ['javascript', 'other', 'python']],
    ['git log --stat -1', ['history']],
    ['wc -l $(git ls-files)', ['history']],
    ['cat .gitignore', []],
    ['grep -n legit a.md', []],
  ])('%s: %j', (command, expected) => {
    // A builtin or a plain program adds nothing.
    expect(needs(command)).toEqual(expected)
  })
})

test('JavaScript needs packages when it loads a module that is not of Node', () => {
  for (const code of [
    "require('fs')",
    "import fs from 'node:fs'",
    'console.log(1)',
    "await import('node:path')",
  ])
    expect(loadsModules(code)).toBe(false)
  for (const code of [
    "require('zod')",
    "import x from './x.js'",
    "import 'dotenv/config'",
    "await import('zod')",
  ])
    expect(loadsModules(code)).toBe(true)
})

describe('what Python imports', () => {
  test.each([
    'import os, sys',
    'from collections import abc',
    'import json as j  # numpy',
    'print("import numpy")',
  ])('%s is of its own library', (code) => expect(importsPackages(code)).toBe(false))
  test.each([
    'import numpy as np',
    'import os, right',
    'from right.part import x',
    '  import right',
    '__import__("x")',
  ])('%s is a package', (code) => expect(importsPackages(code)).toBe(true))
})
