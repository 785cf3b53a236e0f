/** A card names a page and, beside it, a host at which the session has signed in. The page tries to use that login. */
import {
  openTestBrowsers,
  openTestSite,
} from '../../../../../../packages/executor/src/browser/testing/test-site.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'page-borrows-a-login',
  promise: 'A page never sends the cookies that another site of the session was given.',
  mutant: 'sites-share-cookies',
  async run(stage) {
    const bank = await openTestSite((_request, response) => {
      response.setHeader('set-cookie', 'login=alice; path=/').end('<title>Bank</title>')
    })
    const evil = await openTestSite((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<title>News</title><img src="${bank.origin}/picture">`)
    })
    const { pool, act } = openTestBrowsers([bank.port, evil.port])
    stage.afterwards(() => Promise.all([bank.close(), evil.close()]))
    stage.afterwards(() => pool.close())
    await act({ action: 'navigate', url: `${bank.origin}/` })
    await act({ action: 'navigate', url: `${evil.origin}/` }, { also: [bank.port] })
    const borrowed = bank.seen.find(({ url }) => url === '/picture')
    await act({ action: 'navigate', url: `${bank.origin}/again` })
    return {
      open: borrowed?.headers.cookie !== undefined,
      control: borrowed !== undefined && bank.seen.at(-1)?.headers.cookie === 'login=alice',
      saw: `the picture was asked for with ${borrowed?.headers.cookie ?? 'no cookie'}`,
    }
  },
}
