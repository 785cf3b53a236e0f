import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import Words from './words.tsx'

const drawn = (text: string) => renderToStaticMarkup(createElement(Words, { text }))

test('draws what would never be read to its end as it was written', () => {
  expect(drawn('>'.repeat(5_000))).toContain('&gt;'.repeat(5_000))
})

test('runs nothing, loads nothing and leads nowhere', () => {
  const shown = drawn(
    '[x](javascript:alert(1)) ![b](https://evil.example/p.png) <button onclick="alert(1)">Approve</button> ' +
      '<img src="https://evil.example/q.png" onerror="alert(1)"> <div class="fixed" style="position:fixed">z</div>',
  )
  // What is written as text may say anything; what counts is what the page makes of it.
  const made = shown.match(/<[^>]*>/g)?.join('') ?? ''
  expect(made).not.toMatch(
    /<(?:a|img|button|link|form|iframe|script|style)\b|javascript:|position:|class="fixed/,
  )
})
