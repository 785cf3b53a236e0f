import { describe, expect, it } from 'vitest'
import { growthOf, mostGrowth } from '../../../../tests/harness/src/growth.ts'
import { oneLine, plainText } from './plain-text.ts'

describe('the plain text of a page', () => {
  it('leaves out tags, scripts, styles and comments, and keeps blocks apart', () => {
    const html = `<head><title>no</title></head><h1>One &amp; two</h1><script>if (a < b) no()</script>
      <p>three <b>four</b><!-- no > no --> five<br>six</p><style>p { no: no }</style ><ul><li>a<li>b</ul>`
    expect(plainText(html)).toBe('One & two\nthree four five\nsix\na\nb')
  })

  it('keeps what only looks like a tag', () => {
    expect(plainText('1 < 2 and 3 > 2 <3')).toBe('1 < 2 and 3 > 2 <3')
    expect(plainText('a<unclosed')).toBe('a')
    expect(plainText('<script>never closed')).toBe('')
    expect(plainText('<head><body>open head</script> on')).toBe('open head on')
  })

  it('reads entities once, and leaves unknown ones', () => {
    expect(oneLine('&amp;lt; &#65;&#x42; &nbsp;&unknown; &#0; &#xD800; <em>x</em>')).toBe(
      '&lt; AB &unknown; &#0; \ufffd x',
    )
  })

  it.each(['<', '<a', '<!--', '<svg>', '<svg></svg>', '&', '</', '<p>'])(
    'takes work in proportion to a page of %s',
    async (part) => {
      const growth = await growthOf(30_000, (length) => part.repeat(length / part.length), plainText)
      expect(growth).toBeLessThan(mostGrowth)
    },
  )
})
