import { parseHTML } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { markdownOf, type PageNode } from './markdown.ts'

function written(html: string): string {
  const { document } = parseHTML(`<html><body>${html}</body></html>`) as unknown as {
    document: { body: PageNode }
  }
  return markdownOf(document.body)
}

describe('a page in Markdown', () => {
  it('has headings, paragraphs and lines', () => {
    expect(written('<h2>A <em>b</em></h2><div>one<p>two<br>three</p>four</div><hr>')).toBe(
      '## A *b*\n\none\n\ntwo\nthree\n\nfour\n\n---',
    )
  })

  it('has links with an address of the web, and none of another kind', () => {
    expect(written('<p>a <a href="https://a.test/">b </a>c <a href="javascript:x">d</a></p>')).toBe(
      'a [b](https://a.test/) c d',
    )
  })

  it('has lists, also within lists', () => {
    expect(written('<ul><li>a<ol><li>b</li><li><p>c</p></li></ol></li><li></li><li>d</li></ul>')).toBe(
      '- a\n  1. b\n  2. c\n- d',
    )
  })

  it('has code as it is', () => {
    expect(written('<pre><code>if (a) {\n  b()\n}\n</code></pre><p>Run <code>x  y</code>.</p>')).toBe(
      '```\nif (a) {\n  b()\n}\n```\n\nRun `x y`.',
    )
  })

  it('has quotations and tables', () => {
    expect(written('<blockquote><p>a</p><p>b</p></blockquote>')).toBe('> a\n> \n> b')
    expect(
      written(
        '<table><thead><tr><th>a</th><th>b</th></tr></thead><tr><td>1|2</td><td><b>3</b></td></tr></table>',
      ),
    ).toBe('| a | b |\n| --- | --- |\n| 1\\|2 | **3** |')
    expect(written('<table>loose</table>')).toBe('loose')
  })

  it('has no scripts, styles and pictures', () => {
    expect(
      written('<p>a<script>b</script><style>c</style><img src="d" alt="e"><svg><text>f</text></svg></p>'),
    ).toBe('a')
  })
})
