import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { validate } from 'skills-ref'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSkillFile, toolsIn } from './skill-file.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-files-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const skill = (frontMatter: string, body = 'Do it well.') => `---\n${frontMatter}\n---\n${body}\n`
const plain = 'name: pdf-forms\ndescription: Fills in forms.'

/** What the reference validator says: nothing where it is well. */
async function oracle(text: string, name = 'pdf-forms'): Promise<string[]> {
  const folder = join(mkdtempSync(join(root, 'one-')), name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'SKILL.md'), text)
  return validate(folder)
}

describe('a SKILL.md', () => {
  it.each([
    ['the least', skill(plain)],
    [
      'all fields',
      skill(
        `${plain}\nlicense: MIT\ncompatibility: Needs python3\nmetadata:\n  author: Ana\n  version: "1.0"\nallowed-tools: Bash(git add:*) Read`,
      ),
    ],
    ['a description in quotes', skill('name: pdf-forms\ndescription: "Fills: forms, #1"')],
    ['a description over lines', skill('name: pdf-forms\ndescription: >-\n  Fills in\n  forms.')],
    ['ends of lines as on Windows', skill(plain).replaceAll('\n', '\r\n')],
    ['no body', `---\n${plain}\n---`],
    ['the longest description', skill(`name: pdf-forms\ndescription: ${'x'.repeat(1024)}`)],
    ['a flow of metadata', skill(`${plain}\nmetadata: { author: Ana }`)],
  ])('is read with %s, as the reference does', async (_what, text) => {
    expect(readSkillFile(text, 'pdf-forms')).toMatchObject({ kind: 'skill', head: { name: 'pdf-forms' } })
    expect(await oracle(text)).toEqual([])
  })

  it('gives its head and its body apart', () => {
    const text = skill(
      `${plain}\nmetadata:\n  author: Ana\nallowed-tools: Bash(git add:*) Read`,
      '\n# Forms\n\n---\nMore.',
    )
    expect(readSkillFile(text, 'pdf-forms')).toEqual({
      kind: 'skill',
      head: {
        name: 'pdf-forms',
        description: 'Fills in forms.',
        license: null,
        compatibility: null,
        metadata: { author: 'Ana' },
        allowedTools: ['Bash(git add:*)', 'Read'],
      },
      body: '# Forms\n\n---\nMore.',
    })
  })

  it.each([
    ['no front matter', '# Forms'],
    ['front matter without an end', `---\n${plain}\n`],
    ['no name', skill('description: x')],
    ['no description', skill('name: pdf-forms')],
    ['an empty description', skill('name: pdf-forms\ndescription: ""')],
    ['too long a description', skill(`name: pdf-forms\ndescription: ${'x'.repeat(1025)}`)],
    ['another name than its folder', skill('name: pdf-fields\ndescription: x')],
    ['capitals in its name', skill('name: PDF-forms\ndescription: x')],
    ['two hyphens in its name', skill('name: pdf--forms\ndescription: x')],
    ['a hyphen at the end of its name', skill('name: pdf-forms-\ndescription: x')],
    ['too long a compatibility', skill(`${plain}\ncompatibility: ${'x'.repeat(501)}`)],
    ['a field that the format does not know', skill(`${plain}\nhooks: run`)],
    ['a list in place of fields', skill('- name\n- description')],
    ['a key twice', skill(`${plain}\nname: pdf-forms`)],
    ['a bracket that stays open', skill(`${plain}\nmetadata: { a: b`)],
  ])('is refused with %s, as the reference does', async (_what, text) => {
    expect(readSkillFile(text, 'pdf-forms')).toMatchObject({ kind: 'refused' })
    expect(await oracle(text)).not.toEqual([])
  })

  it.each([
    ['a value that is used again', skill(`name: &n pdf-forms\ndescription: *n`)],
    ['a value that is named', skill(`name: &n pdf-forms\ndescription: x`)],
    ['a tag', skill('name: !!str pdf-forms\ndescription: x')],
    ['a tag of its own', skill('name: pdf-forms\ndescription: !run x')],
    ['a second document', skill(`${plain}\n...\na: b`)],
    ['a number in place of text', skill('name: pdf-forms\ndescription: 1')],
    ['a list of tools', skill(`${plain}\nallowed-tools: [Read]`)],
    ['deep metadata', skill(`${plain}\nmetadata:\n  a:\n    b: c`)],
    ['an invisible character in its description', skill('name: pdf-forms\ndescription: Fills\u200b forms.')],
    ['letters that turn the line around', skill('name: pdf-forms\ndescription: "Fills \u202eforms."')],
    ['a mark before it', `\ufeff${skill(plain)}`],
    ['too much text', skill(plain, 'x'.repeat(60_000))],
    ['too long front matter', skill(`${plain}\n${'# x\n'.repeat(5_000)}`)],
  ])('is refused with %s, which the reference lets pass or reads in its own way', (_what, text) => {
    expect(readSkillFile(text, 'pdf-forms')).toMatchObject({ kind: 'refused' })
  })

  // Without the bound these end the process that reads them.
  it.each([
    '['.repeat(15_000),
    '- '.repeat(7_000),
    '? '.repeat(7_000),
    '-\t'.repeat(7_000),
    '{a: '.repeat(3_000),
  ])('is refused when it is nested deeply: %.8s…', (deep) => {
    expect(readSkillFile(skill(deep), 'pdf-forms')).toEqual({
      kind: 'refused',
      reason: 'Its front matter is nested too deeply.',
    })
  })
})

it.each([
  ['Read Write', ['Read', 'Write']],
  ['Read, Write', ['Read', 'Write']],
  ['Bash(git add:*) Read', ['Bash(git add:*)', 'Read']],
  ['Bash(git', ['Bash(git']],
  [',', []],
])('tools are told apart in %j', (text, tools) => {
  expect(toolsIn(text)).toEqual(tools)
})
