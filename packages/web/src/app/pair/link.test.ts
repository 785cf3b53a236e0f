import { expect, test } from 'vitest'
import { linkIn, takeLink } from './link.ts'

const gateway = 'a'.repeat(64)

test('takes the link out of the address', () => {
  const written: string[] = []
  // As in a window: what the history says is what the address is.
  const location = { pathname: '/chat', search: '?a=1', hash: `#pair=abc&gateway=${gateway}` }
  const history = {
    replaceState: (_state: unknown, _title: string, url?: string | URL | null) => {
      written.push(String(url))
      location.hash = ''
    },
  }
  expect(takeLink(location, history)).toEqual({ secret: 'abc', gateway, words: false })
  expect(written).toEqual(['/chat?a=1'])
})

test('a link that does not say which gateway is meant is no link, and its secret leaves the address too', () => {
  const written: string[] = []
  const history = { replaceState: () => void written.push('') }
  expect(takeLink({ pathname: '/', search: '', hash: '#pair=abc' }, history)).toBeNull()
  expect(written).toHaveLength(1)
  expect(linkIn('#pair=abc&gateway=nonsense')).toBeNull()
})

test('a link for a phone asks for the words to be compared', () => {
  expect(linkIn(`#pair=abc&gateway=${gateway}&words`)).toEqual({ secret: 'abc', gateway, words: true })
})

test('leaves an address without a link as it is', () => {
  const history = { replaceState: () => expect.unreachable() }
  expect(takeLink({ pathname: '/', search: '', hash: '#main' }, history)).toBeNull()
  expect(linkIn('#pair=')).toBeNull()
  expect(linkIn('')).toBeNull()
})
