import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createXmlParser } from './parser.ts'
import { createScram } from './scram.ts'
import { attrOf, childOf, textOf, type XmlElement, xml } from './xml.ts'

const header =
  "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>"

function parsed(chunks: readonly string[]): { elements: XmlElement[]; ended: boolean } {
  const seen = { elements: [] as XmlElement[], ended: false }
  const feed = createXmlParser({
    element: (element) => void seen.elements.push(element),
    end: () => {
      seen.ended = true
    },
  })
  for (const chunk of chunks) feed(chunk)
  return seen
}

describe('the stream of a server', () => {
  it('is read the same wherever it is cut', () => {
    const text = `${header} <message to="a&amp;b" id='x"y>'><body>1 &lt; 2 &#x1F600;<![CDATA[<b>]]></body><x xmlns='y:z'/></message>\n<stream:features/></stream:stream>`
    const whole = parsed([text])
    const [message, features] = whole.elements
    expect(textOf(childOf(message, 'body'))).toBe('1 < 2 😀<b>')
    expect([attrOf(message, 'to'), attrOf(message, 'id')]).toEqual(['a&b', 'x"y>'])
    expect(childOf(message, 'x', 'y:z')).toBeDefined()
    expect(features).toMatchObject({ name: 'features', space: 'http://etherx.jabber.org/streams' })
    expect(whole.ended).toBe(true)
    expect(parsed(text.split(''))).toEqual(whole)
    for (let at = 0; at < text.length; at += 1)
      expect(parsed([text.slice(0, at), text.slice(at)])).toEqual(whole)
  })

  it.each([
    ['a type of documents', '<!DOCTYPE x [<!ENTITY y "z">]>'],
    ['a comment', '<message><!-- x --></message>'],
    ['an instruction', '<message><?php x ?></message>'],
    ['an entity of its own', '<message>&nbsp;</message>'],
    ['a letter that there is not', '<message>&#0;</message>'],
    ['half a letter', '<message>&#xD800;</message>'],
    ['what is closed in the wrong order', '<message><body></message></body>'],
    ['a tag within a tag', '<message <body>>'],
    ['depth without end', '<a>'.repeat(100)],
    ['text without end', `<message>${'x'.repeat(5_000_000)}`],
    ['a tag without end', `<message a="${'x'.repeat(200_000)}`],
  ])('ends with %s', (_, text) => {
    expect(() => parsed([header, text])).toThrow('The server')
  })

  it('is never given markup by a text', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 60 })
    fc.assert(
      fc.property(anyText, anyText, (body, id) => {
        const { markup } = xml('message', { id }, xml('body', {}, body))
        const [message, ...more] = parsed([header, markup]).elements
        expect(more).toEqual([])
        expect([...(message?.attrs.keys() ?? [])]).toEqual(['id'])
        expect(message?.children.length).toBe(1)
        expect(childOf(message, 'body')?.children.every((child) => typeof child === 'string')).toBe(true)
      }),
      { numRuns: 40 },
    )
    const hostile = `]]></body></message><iq type='set'/> & " ' \u0000 \ud800`
    const { markup } = xml('message', { id: hostile }, xml('body', {}, hostile))
    const shown = `]]></body></message><iq type='set'/> & " '  \ufffd`
    expect(textOf(childOf(parsed([header, markup]).elements[0], 'body'))).toBe(shown)
  })
})

describe('the proof of a password', () => {
  it('is that of RFC 7677, and asks the same of the server', () => {
    const scram = createScram('sha256', 'user', 'pencil', 'rOprNGfwEbeRWgbNEkqO')
    expect(scram.first).toBe('n,,n=user,r=rOprNGfwEbeRWgbNEkqO')
    const challenge = 'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096'
    expect(scram.answer(challenge)).toBe(
      'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=',
    )
    expect(() => scram.check('v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=')).not.toThrow()
    for (const final of ['', 'v=', 'v=7rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=', 'e=other-error'])
      expect(() => scram.check(final)).toThrow('could not show')
  })

  it('is given to no server that asks in a wrong way, and believes none that asked nothing', () => {
    const scram = createScram('sha1', 'user', 'pencil', 'ours')
    for (const challenge of ['', 'r=theirs,s=QSXC,i=4096', 'r=ours,s=QSXC,i=4096', 'r=oursX,s=QSXC,i=1'])
      expect(() => scram.answer(challenge)).toThrow('wrong way')
    expect(() => scram.answer('r=oursX,s=QSXC,i=99999999')).toThrow('wrong way')
    expect(() => scram.check('v=')).toThrow('could not show')
  })
})
