/** Makes e-mails that want to be taken for something else. Each says what a reader must and must not be told of it. */
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'

export interface HostileMail {
  readonly name: string
  readonly raw: Buffer
  /** Whose words its text is; what stands here must not be among them. */
  readonly hidden?: string
  readonly shown?: string
  /** Addresses that really stand in its From lines, and which must all be told. */
  readonly senders?: readonly string[]
  /** It looks like an e-mail of `kovac.test`, which it is not. */
  readonly pretends?: boolean
  /** Signed by `evil.test`, which it may do. */
  readonly signed?: boolean
}

type Maker = (random: Random, mark: string) => HostileMail

const crlf = (text: string) => Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'), 'latin1')
const head = (from: string, more = '') =>
  `From: ${from}\nTo: me@home.test\nSubject: s\nMessage-ID: <1@x.test>\n${more}`
const real = 'ana@kovac.test'

const torture: Readonly<Record<string, Maker>> = {
  'a letter in a letter': (random, mark) => {
    const type = random.pick(['message/rfc822', 'message/RFC822; x=y'])
    const inner = `From: Boss <${real}>\nSubject: inner\n\n${mark}-inner\n`
    const body = `Content-Type: multipart/mixed; boundary=k\n\n--k\nContent-Type: text/plain\n\n${mark}-outer\n--k\nContent-Type: ${type}\n\n${inner}\n--k--\n`
    return {
      name: `letter as ${type}`,
      raw: crlf(head('a@evil.test') + body),
      hidden: `${mark}-inner`,
      shown: `${mark}-outer`,
      senders: ['a@evil.test'],
    }
  },
  'multiparts in multiparts': (random, mark) => {
    const depth = random.pick([2, 10, 60, 200, 1_000])
    let body = `Content-Type: text/plain\n\n${mark}-deep\n`
    for (let at = 0; at < depth; at += 1)
      body = `Content-Type: multipart/mixed; boundary="b${at}"\n\n--b${at}\n${body}\n--b${at}--\n`
    return { name: `${depth} deep`, raw: crlf(head('a@evil.test') + body) }
  },
  'boundaries that lie': (random, mark) => {
    const boundary = random.pick(['', ' ', '"', 'a'.repeat(5_000), '--', 'x\\"y', '=?utf-8?q?b?='])
    const body = `Content-Type: multipart/mixed; boundary="${boundary}"\n\n--${boundary}\n\n${mark}\n--${boundary}--x\n--${boundary}`
    return { name: 'boundary', raw: crlf(head('a@evil.test') + body) }
  },
  'encodings that are none': (random, mark) => {
    const encoding = random.pick(['base64', 'quoted-printable', 'x-uuencode', 'BASE64 ; x', '8bit', 'binary'])
    const charset = random.pick(['utf-7', 'iso-2022-jp', 'utf-16le', 'nothing', 'x'.repeat(2_000), 'utf-8'])
    const bytes = Array.from({ length: 400 }, () => String.fromCharCode(random.below(256))).join('')
    const body = `Content-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: ${encoding}\n\n${mark}${bytes}=\n=ZZ=`
    return { name: `${encoding} ${charset.slice(0, 12)}`, raw: crlf(head('a@evil.test') + body) }
  },
  'headers without end': (random, mark) => {
    const size = random.pick([10_000, 200_000, 900_000, 3_000_000])
    const more = random.pick([
      `X-Long: ${'a'.repeat(size)}\n`,
      'X-Many: b\n'.repeat(size / 100),
      `Subject: ${'=?utf-8?b?w6TDpA==?= '.repeat(size / 100)}\n`,
      `References: ${'<a@b> '.repeat(size / 100)}\n`,
      `To: ${'x@y.test, '.repeat(size / 100)}z@y.test\n`,
    ])
    return { name: `${size} bytes of headers`, raw: crlf(`${head('a@evil.test', more)}\n${mark}\n`) }
  },
  'bytes at random': (random, mark) => {
    const text = `${head('a@evil.test')}Content-Type: multipart/alternative; boundary=q\n\n--q\nContent-Type: text/html\n\n<p>${mark}</p>\n--q--\n`
    const raw = crlf(text)
    for (let left = 1 + random.below(40); left > 0; left -= 1)
      raw[random.below(raw.length)] = random.below(256)
    return { name: 'random', raw }
  },
}

const evil = 'a@evil.test'
const spoofed: Readonly<Record<string, readonly string[]>> = {
  'a name that is an address': [
    `"${real}" <${evil}>`,
    `${real} <${evil}>`,
    `=?utf-8?q?ana=40kovac=2Etest?= <${evil}>`,
  ],
  'a name with an address in it': [
    `"Ana <${real}>" <${evil}>`,
    `=?utf-8?b?${Buffer.from(`Ana <${real}>`).toString('base64')}?= <${evil}>`,
  ],
  'a comment': [`${evil} (${real})`, `(${real}) ${evil}`, `"Ana" (<${real}>) <${evil}>`],
  'letters that look alike': ['ana@xn--kvac-5na.test', 'Ana <ana@xn--ovac-nbb.test>'],
  'wide signs': [`=?utf-8?b?${Buffer.from('ana＠kovac.test').toString('base64')}?= <${evil}>`],
  'two addresses in one line': [`${real}, ${evil}`, `${evil}, Ana <${real}>`],
  'a group': [`${real}: ${evil};`, `Friends: ${real}, ${evil};`],
}

function spoof(turn: number, random: Random, mark: string): HostileMail {
  const names = ['two From lines', 'folded', 'a plain lie', ...Object.keys(spoofed)]
  const name = names[turn % names.length] ?? ''
  const end = `Content-Type: text/plain\n\n${mark}\n`
  const signed = random.below(2) === 0
  if (name === 'two From lines') {
    const lines = random.shuffle([`From: Ana <${real}>\n`, `From: ${evil}\n`])
    const more = random.pick(['', 'X-A: b\n'])
    const raw = crlf(`${lines[0]}${more}${lines[1]}To: me@home.test\nSubject: s\n${end}`)
    return { name, raw, senders: [real, evil], pretends: true, signed }
  }
  if (name === 'folded')
    return {
      name,
      raw: crlf(head(`"Ana\n <${real}>"\n <${evil}>`) + end),
      senders: [evil],
      pretends: true,
      signed,
    }
  if (name === 'a plain lie')
    return { name, raw: crlf(head(`Ana <${real}>`) + end), senders: [real], pretends: true, signed }
  const from = random.pick(spoofed[name] ?? [])
  return { name: `${name}: ${from}`, raw: crlf(head(from) + end), pretends: true, signed }
}

const hiding: readonly ((mark: string) => string)[] = [
  (mark) => `<div style="display:none">${mark}</div>`,
  (mark) => `<span style="font-size: 0px">${mark}</span>`,
  (mark) => `<p hidden>${mark}</p>`,
  (mark) => `<script>document.write("${mark}")</script>`,
  (mark) => `<style>a{content:"${mark}"}</style>`,
  (mark) => `<!-- ${mark} -->`,
  (mark) => `<template>${mark}</template>`,
  (mark) => `<div style='visibility : hidden'><b>${mark}</b></div>`,
  (mark) => `<noscript>${mark}</noscript>`,
  (mark) => `<svg><text>${mark}</text></svg>`,
  (mark) => `<iframe srcdoc="${mark}">${mark}</iframe>`,
  (mark) => `<img src="http://127.0.0.1:1/${mark}">`,
  (mark) => `<form action="http://127.0.0.1:1/"><input type=hidden value="${mark}"></form>`,
  (mark) => `<DIV STYLE="opacity:0">${mark}</DIV>`,
]

function html(random: Random, mark: string): HostileMail {
  const index = random.below(hiding.length)
  const trick = hiding[index]?.(`${mark}-hidden`) ?? ''
  const broken = random.pick(['', '<b', '<p ">', '</div></div>', '<a href="', '&#0;&#x110000;&lt;'])
  const page = `<html><body><p>${mark}-shown</p>${trick}<p>end</p>${broken}</body></html>`
  const raw = crlf(`${head(evil)}Content-Type: text/html; charset=utf-8\n\n${page}\n`)
  return { name: `trick ${index}`, raw, hidden: `${mark}-hidden`, shown: `${mark}-shown` }
}

export function hostileMail(index: number, random: Random): HostileMail {
  const mark = `m${index}x${random.below(1_000_000)}`
  // In turn, so that a short run has the worst of each.
  const turn = Math.floor(index / 3)
  if (index % 3 === 1) return spoof(turn, random, mark)
  if (index % 3 === 2) return html(random, mark)
  const makers = Object.values(torture)
  return (makers[turn % makers.length] as Maker)(random, mark)
}
