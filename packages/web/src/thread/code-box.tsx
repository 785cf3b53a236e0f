/** Code in a reply: its language, a button that copies it, and colours once they are fetched. */

import { type ComponentProps, isValidElement, lazy, type ReactNode, Suspense } from 'react'
import { CopyButton } from '../kit/index.ts'
import { words } from '../words/chat.tsx'

const Coloured = lazy(() => import('./code-colours.tsx'))

export function CodeBox({ children }: ComponentProps<'pre'> & { node?: unknown }) {
  const { language, code } = codeIn(children)
  return (
    <figure className="code-box" dir="ltr">
      <figcaption>
        <span>{language === '' ? words.thread.code : language}</span>
        <CopyButton text={code} label={words.thread.copyCode} />
      </figcaption>
      <pre tabIndex={0}>
        <code>
          {language === '' ? (
            code
          ) : (
            <Suspense fallback={code}>
              <Coloured language={language} code={code} />
            </Suspense>
          )}
        </code>
      </pre>
    </figure>
  )
}

/** What a fence holds, and the word after its first line of backticks. */
function codeIn(children: ReactNode): { readonly language: string; readonly code: string } {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children))
    return { language: '', code: textOf(children) }
  const { className = '', children: inner } = children.props
  return {
    language: /language-([\w+#.-]{1,30})/.exec(className)?.[1] ?? '',
    code: textOf(inner).replace(/\n$/, ''),
  }
}

function textOf(node: ReactNode): string {
  if (typeof node === 'string') return node
  if (typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map((each: ReactNode) => textOf(each)).join('')
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : ''
}
