import { describe, expect, it } from 'vitest'
import { hasOneForm } from './body-form.ts'

const parts =
  '--abc\nContent-Type: text/plain\n\nYes.\n\n> no\n--abc\nContent-Type: text/html\n\n<p>Yes.</p>\n--abc--\n'

describe('a body whose content type nobody signed', () => {
  it.each([
    ['text without a type', { type: undefined, encoding: undefined, body: 'Yes.\n> no\n' }],
    ['text', { type: 'text/plain; charset=utf-8', encoding: '8bit', body: 'Yes.\n' }],
    [
      'text with codes',
      { type: 'text/plain', encoding: 'quoted-printable', body: 'Gr=C3=BC=C3=9Fe, a =\nb =3D c\n' },
    ],
    ['several parts', { type: 'multipart/alternative; boundary="abc"', encoding: undefined, body: parts }],
    [
      'several parts of another kind',
      { type: 'multipart/mixed; boundary=abc', encoding: '7bit', body: parts },
    ],
  ])('is read in one way where it is %s', (_, form) => {
    expect(hasOneForm(form)).toBe(true)
  })

  it.each([
    ['the source of several parts as text', { type: 'text/plain', encoding: undefined, body: parts }],
    ['the source of several parts without a type', { type: undefined, encoding: undefined, body: parts }],
    ['text as HTML', { type: 'text/html', encoding: undefined, body: 'Yes.\n> no\n' }],
    [
      'parts that begin at a quoted line',
      { type: 'multipart/mixed; boundary="x"', encoding: undefined, body: `Yes.\n--x\n\nno\n${parts}` },
    ],
    ['parts without a boundary', { type: 'multipart/mixed', encoding: undefined, body: parts }],
    ['text as codes of letters', { type: 'text/plain', encoding: 'base64', body: 'Yes.\n> bm8=\n' }],
    [
      'text with codes of line ends',
      { type: 'text/plain', encoding: 'quoted-printable', body: 'Yes.\n> no=0Ano\n' },
    ],
    ['text with broken codes', { type: 'text/plain', encoding: 'quoted-printable', body: 'a = b\n' }],
    [
      'text with codes and long lines',
      { type: 'text/plain', encoding: 'quoted-printable', body: 'a'.repeat(80) },
    ],
    ['codes as text', { type: 'text/plain', encoding: undefined, body: 'Yes.\n> a long=\n line\n' }],
    ['parts in codes', { type: 'multipart/mixed; boundary=abc', encoding: 'base64', body: parts }],
  ])('is not trusted as %s', (_, form) => {
    expect(hasOneForm(form)).toBe(false)
  })
})
