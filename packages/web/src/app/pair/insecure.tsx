/** Shown where the browser gives a page no keys: an address that is neither https nor localhost. */
import { words } from '../../words/pair.tsx'
import { Welcome } from './welcome.tsx'

export function Insecure({ origin, port }: { origin: string; port: string }) {
  const local = `http://localhost${port === '' ? '' : `:${port}`}`
  const tunnel = `ssh -L ${port || '7347'}:localhost:${port || '7347'} ${words.insecure.yourHost}`
  return (
    <Welcome title={words.insecure.title}>
      <p className="text-ink-2">{words.insecure.text(origin)}</p>
      <ul className="mt-4 list-disc space-y-2 ps-5">
        <li>
          {words.insecure.local(
            <a className="text-act underline" href={local}>
              {local}
            </a>,
          )}
        </li>
        <li>{words.insecure.https}</li>
        <li>{words.insecure.tunnel(<code>{tunnel}</code>, local)}</li>
      </ul>
    </Welcome>
  )
}
