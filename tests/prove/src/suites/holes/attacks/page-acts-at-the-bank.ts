/** A page tries to act at another site that the session has been to, during its own call and after it. */
import {
  openTestBrowsers,
  openTestSite,
} from '../../../../../../packages/executor/src/browser/testing/test-site.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'page-acts-at-the-bank',
  promise: 'A page reaches only the hosts that its own call names, also where the session was before.',
  mutant: 'sites-share-everything',
  async run(stage) {
    const bank = await openTestSite((_request, response) => {
      response.setHeader('set-cookie', 'login=alice; path=/').end('<title>Bank</title>')
    })
    const evil = await openTestSite((request, response) => {
      response.setHeader('content-type', 'text/html')
      if (request.url === '/') response.end(thief(bank.origin))
      else response.end()
    })
    const { pool, act } = openTestBrowsers([bank.port, evil.port])
    stage.afterwards(() => Promise.all([bank.close(), evil.close()]))
    stage.afterwards(() => pool.close())
    await act({ action: 'navigate', url: `${bank.origin}/` })
    await act({ action: 'navigate', url: `${bank.origin}/again` })
    const honest = bank.seen.at(-1)?.headers.cookie
    const opened = await act({ action: 'navigate', url: `${evil.origin}/` })
    await act({ action: 'text', url: `${evil.origin}/`, selector: 'title' })
    // To go elsewhere ends the page, which is its last chance.
    await act({ action: 'navigate', url: `${bank.origin}/home` })
    const stolen = bank.seen.filter(({ url = '' }) => url.startsWith('/transfer'))
    return {
      open: stolen.length > 0,
      control: honest === 'login=alice' && opened.kind === 'seen' && opened.notes.join().includes('blocked'),
      saw: `the bank got ${stolen.length} orders, ${stolen.filter(({ headers }) => headers.cookie).length} with the cookie`,
    }
  },
}

function thief(bank: string): string {
  return `<!doctype html><title>News</title><script>
    const order = '${bank}/transfer?to=mallory'
    const send = () => fetch(order, { mode: 'no-cors', credentials: 'include', keepalive: true }).catch(() => 0)
    send()
    new Image().src = order
    setInterval(send, 50)
    for (const name of ['pagehide', 'unload', 'visibilitychange']) addEventListener(name, () => {
      navigator.sendBeacon(order)
      send()
    })
  </script><iframe src="${bank}/transfer?frame"></iframe>
  <form id=f method=post target=hidden action="${bank}/transfer?form"></form><iframe name=hidden></iframe>
  <script>f.submit()</script>`
}
