/** Shown where the browser gives a page no keys: an address that is neither https nor localhost. */
import { Door } from './door.tsx'

export function Insecure({ origin, port }: { origin: string; port: string }) {
  const local = `http://localhost${port === '' ? '' : `:${port}`}`
  return (
    <Door title="This address cannot hold a key">
      <p className="text-ink-2">
        Browsers keep keys only for https and for localhost, and this page is {origin}. So this browser could
        not prove that it is yours.
      </p>
      <ul className="mt-4 list-disc space-y-2 ps-5">
        <li>
          On the computer where the gateway runs, open{' '}
          <a className="text-act underline" href={local}>
            {local}
          </a>
          .
        </li>
        <li>
          From elsewhere, reach it by an https name, such as one of your own proxy or of a private network.
        </li>
        <li>
          Or carry the port over:{' '}
          <code>
            ssh -L {port || '7347'}:localhost:{port || '7347'} your-host
          </code>
          , then open {local}.
        </li>
      </ul>
    </Door>
  )
}
