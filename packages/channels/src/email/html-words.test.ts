import { describe, expect, it } from 'vitest'
import { htmlWords, unreadable } from './html-words.ts'

describe('the words of HTML', () => {
  it('are those that a reader sees', () => {
    const html =
      '<html><head><title>t</title></head><body><p>Hello <b>you</b> &amp; me</p><div>two<br>three</div><ul><li>a</li></ul></body></html>'
    expect(htmlWords(html)).toBe('Hello you & me\n\ntwo\nthree\n\n- a')
  })

  it.each([
    [
      'what everyday programs write',
      '<div style="font-family: Calibri; font-size: 11pt; color: #000000">yes</div>',
    ],
    [
      'what Apple Mail writes',
      '<body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">yes</body>',
    ],
    [
      'a style sheet of Outlook',
      '<style><!-- p.MsoNormal {margin:0cm; font-size:11.0pt; font-family:"Calibri",sans-serif;} --></style><p class=MsoNormal>yes</p>',
    ],
  ])('are read in %s', (_, html) => {
    expect(htmlWords(html)).toBe('yes')
  })

  it.each([
    '<div style="display:none">no</div>',
    "<div style='DISPLAY : NONE'>no</div>",
    '<div style=display:none>no</div>',
    '<div style="display:&#110;one">no</div>',
    '<div style="display:/**/none">no</div>',
    '<div style="d\\69splay:none">no</div>',
    '<span style="color:white">no</span>',
    '<span style="color:#fefefe">no</span>',
    '<span style="background:#000">no</span>',
    '<font color="white">no</font>',
    '<font size=1 color=#fff>no</font>',
    '<span style="font-size:0">no</span>',
    '<span style="font-size:1px">no</span>',
    '<span style="opacity:0.01">no</span>',
    '<div style="height:0;overflow:hidden">no</div>',
    '<div style="max-height:1px">no</div>',
    '<div style="position:absolute;left:-9999px">no</div>',
    '<div style="text-indent:-999px">no</div>',
    '<div style="margin-left:-999px">no</div>',
    '<div style="transform:scale(0)">no</div>',
    '<div style="clip-path:inset(100%)">no</div>',
    '<div style="visibility:hidden">no</div>',
    '<div style="mso-hide:all">no</div>',
    '<div hidden>no</div>',
    '<div aria-hidden="true">no</div>',
    '<template>no</template>',
    '<noscript>no</noscript>',
    '<svg><text>no</text></svg>',
    '<textarea>no</textarea>',
    '<!-- no -->',
    '<script>no</script>',
    '<div style="display:none"><div>no</div>no</div>',
    '<div class="gmail_quote">On Monday wrote:<br>no</div>',
    '<img alt="no" src=x>',
    '<div title="no"></div>',
  ])('are without what %s hides', (html) => {
    expect(htmlWords(`<p>yes</p>${html}<p>yes</p>`)).toBe('yes\n\nyes')
  })

  it.each([
    '<style>.x{display:none}</style><p class=x>no</p>',
    '<style>p{color:#fff}</style><p>no</p>',
    '<STYLE type="text/css">p{font-size:0}</STYLE><p>no</p>',
    '<style>@import url(x)</style><p>no</p>',
    '<style>p{d\\69splay:none}</style><p>no</p>',
    '<style>@media all{p{display:none}}</style><p>no</p>',
    '<style>p{display:none}<p>no</p>',
    '<link rel=stylesheet href=x><p>no</p>',
  ])('are none where a style sheet could hide some: %s', (html) => {
    expect(htmlWords(html)).toBe(unreadable)
  })

  it('are marked as quoted where they are', () => {
    expect(htmlWords('<p>yes</p><blockquote><p>no</p><div>no</div></blockquote>')).toMatch(
      /^yes\n(\n?> ?(no)?)+$/,
    )
  })

  it.each([
    ['open tags', '<div>'.repeat(200_000)],
    ['beginnings of tags', '<a '.repeat(300_000)],
    ['signs', '<'.repeat(500_000)],
    ['comments', '<!--'.repeat(200_000)],
    ['entities', '&#'.repeat(300_000)],
    ['style sheets', '<style>'.repeat(100_000)],
    ['rules', `<style>${'{'.repeat(400_000)}`],
    ['links', '<link '.repeat(100_000)],
  ])('are found in time among many %s', (_, html) => {
    const before = performance.now()
    htmlWords(html)
    expect(performance.now() - before).toBeLessThan(5_000)
  })
})
