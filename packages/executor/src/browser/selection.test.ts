import { describe, expect, it } from 'vitest'
import { readSnapshot } from './reading.ts'
import { select } from './selection.ts'
import type { PageSnapshot } from './snapshot.ts'

const [block, none, invisible, pre, cell] = [1, 2, 4, 8, 16]

/** As the page's walk writes it. */
const rows = [
  [-1, 1, 'html', [], block, null],
  [0, 1, 'body', [], block, null],
  [1, 1, 'div', ['id', 'a', 'class', 'q big'], block, null],
  [2, 3, '  one \n two  '],
  [2, 1, 'b', [], 0, null],
  [4, 3, 'three'],
  [2, 1, 'p', [], block, null],
  [6, 3, 'four'],
  [2, 1, 'span', [], none, null],
  [8, 3, 'hidden'],
  [2, 1, 'i', [], invisible, null],
  [10, 3, 'invisible'],
  [2, 1, 'pre', [], block | pre, null],
  [12, 3, 'a\n  b'],
  [1, 1, 'tr', [], block, null],
  [14, 1, 'td', [], cell, null],
  [15, 3, 'x'],
  [14, 1, 'td', [], cell, null],
  [17, 3, 'y'],
  [1, 1, 'input', ['id', 'name', 'value', 'old "<&'], 0, 'typed'],
  [1, 1, 'script', [], none, null],
  [20, 3, 'a < b && c'],
  [1, 8, ' note '],
  [1, 1, 'linearGradient', [], 0, null],
]
const tree = JSON.stringify(rows)

function found(what: 'text' | 'html', selector: string, mostCharacters = 1_000) {
  return select({ tree, what, selector, mostCharacters })
}
const text = (selector: string) => {
  const selection = found('text', selector)
  return selection.kind === 'found' ? selection.text : selection.reason
}
const html = (selector: string) => {
  const selection = found('html', selector)
  return selection.kind === 'found' ? selection.text : selection.reason
}

describe('a selection in a snapshot', () => {
  it('gives text as a reader sees it', () => {
    expect(text('#a')).toBe('one two three\n\nfour\n\na\n  b')
    expect(text('tr')).toBe('x\ty')
    expect(text('td')).toBe('x\ny')
    expect(text('span')).toBe('hidden')
    expect(text('#name')).toBe('typed')
  })

  it('gives html as the page would', () => {
    expect(html('b')).toBe('<b>three</b>')
    expect(html('#name')).toBe('<input id="name" value="old &quot;<&amp;">')
    expect(html('script')).toBe('<script>a < b && c</script>')
    expect(html('body')).toContain('<!-- note -->')
  })

  it('knows selectors', () => {
    for (const selector of [
      'html',
      'div.q',
      '.q:not(:has(~ .zz))',
      'div > b + p',
      '[value^=old]',
      'lineargradient',
      'td:nth-child(2), b',
    ])
      expect(found('text', selector)).toMatchObject({ kind: 'found' })
    expect(found('text', '.none')).toMatchObject({ count: 0 })
    expect(found('text', 'td')).toMatchObject({ count: 2 })
    expect(found('text', '[')).toMatchObject({ kind: 'invalid' })
    expect(found('text', 'a:no-such-thing')).toMatchObject({ kind: 'invalid' })
  })

  it('cuts what is too long', () => {
    expect(found('html', 'body', 10)).toMatchObject({ truncated: true, text: '<body><div' })
  })

  it('refuses a tree that is none', () => {
    for (const wrong of ['', '{}', '[[0]]', '[[-1,1,"html",[],1,null],[0,4,"x"]]'])
      expect(() => select({ tree: wrong, what: 'text', selector: 'a', mostCharacters: 10 })).toThrow()
    expect(select({ tree: '[]', what: 'text', selector: 'a', mostCharacters: 10 })).toMatchObject({
      count: 0,
    })
    const loop = JSON.stringify([rows[0], [5, 1, 'a', [], 0, null], [1, 1, 'b', [], 0, null]])
    expect(select({ tree: loop, what: 'text', selector: '*', mostCharacters: 10 })).toMatchObject({
      count: 1,
    })
  })
})

describe('a reading of a snapshot', () => {
  const url = 'http://shop.test/cart'
  const whole = { text: 'words', truncated: false }
  const snapshotOf = (text: string): PageSnapshot => ({
    href: `${url}?x=1`,
    title: 'Cart',
    text: whole,
    html: whole,
    tree: { text, truncated: false },
    height: 100,
    view: { missing: 'There is no picture.' },
    whole: { missing: 'There is no picture.' },
  })
  const { signal } = new AbortController()

  it('runs apart, and is ended when it takes too long', async () => {
    const read = (text: string, selector: string) =>
      readSnapshot(snapshotOf(text), { action: 'text', url, selector }, signal)
    expect(await read(tree, 'b')).toMatchObject({ kind: 'seen', text: 'three', title: 'Cart' })
    const wide = [rows[0], ...Array.from({ length: 20_000 }, () => [0, 1, 'p', ['class', 'q'], 1, null])]
    const dear = '.q:not(:has(~ .q ~ .zz)):not(:has(~ .q ~ .q ~ .zz))'
    expect(await read(JSON.stringify(wide), dear)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('too long'),
    })
    expect(await read('{}', 'b')).toMatchObject({ kind: 'failed' })
  })

  it('is only of the page that it names', async () => {
    const other = 'http://shop.test/other'
    for (const action of ['text', 'html'] as const)
      expect(
        await readSnapshot(snapshotOf(tree), { action, url: other, selector: null }, signal),
      ).toMatchObject({ kind: 'failed', reason: expect.stringContaining('Nothing was done.') })
    const picture = { action: 'screenshot', url, fullPage: false } as const
    expect(await readSnapshot(snapshotOf(tree), picture, signal)).toMatchObject({ kind: 'failed' })
  })
})
