/**
 * Shows what the agent said, with its headings, lists, tables and code. The same parts are drawn while it is being
 * said and afterwards, so that nothing moves at the end. Pictures are not loaded and links say where they go.
 */

import { forDisplay, isBeyondMarkup } from '@countersign/contract'
import type { ComponentProps } from 'react'
import { type Components, defaultRehypePlugins, Streamdown, type StreamdownProps } from 'streamdown'
import { Catch, SafeBlock } from '../kit/index.ts'
import { words } from '../words/chat.tsx'
import { CodeBox } from './code-box.tsx'

type Part<Tag extends keyof React.JSX.IntrinsicElements> = ComponentProps<Tag> & { node?: unknown }

const parts: Components = {
  img: NoPicture,
  a: PlainAddress,
  pre: CodeBox,
  inlineCode: ({ children }: Part<'code'>) => <code>{children}</code>,
  table: ({ children }: Part<'table'>) => (
    <div className="table-box" role="region" tabIndex={0} aria-label={words.thread.table}>
      <table>{children}</table>
    </div>
  ),
  thead: ({ children }: Part<'thead'>) => <thead>{children}</thead>,
  tbody: ({ children }: Part<'tbody'>) => <tbody>{children}</tbody>,
  tr: ({ children }: Part<'tr'>) => <tr>{children}</tr>,
  th: ({ children, style }: Part<'th'>) => <th style={style}>{children}</th>,
  td: ({ children, style }: Part<'td'>) => <td style={style}>{children}</td>,
  ul: ({ children, className }: Part<'ul'>) => <ul className={className}>{children}</ul>,
  ol: ({ children, start }: Part<'ol'>) => <ol start={start}>{children}</ol>,
  li: ({ children, className }: Part<'li'>) => <li className={className}>{children}</li>,
  input: ({ checked }: Part<'input'>) => (
    <input type="checkbox" checked={checked === true} readOnly disabled aria-label={words.thread.task} />
  ),
  blockquote: ({ children }: Part<'blockquote'>) => <blockquote>{children}</blockquote>,
  hr: () => <hr />,
  p: ({ children }: Part<'p'>) => <p>{children}</p>,
  strong: ({ children }: Part<'strong'>) => <strong>{children}</strong>,
  sup: ({ children }: Part<'sup'>) => <sup>{children}</sup>,
  section: ({ children }: Part<'section'>) => <section>{children}</section>,
  // The page has its own headings; those of a reply stand below them.
  h1: ({ children }: Part<'h1'>) => <h4 className="said-1">{children}</h4>,
  h2: ({ children }: Part<'h2'>) => <h4 className="said-2">{children}</h4>,
  h3: ({ children }: Part<'h3'>) => <h5 className="said-3">{children}</h5>,
  h4: ({ children }: Part<'h4'>) => <h5 className="said-3">{children}</h5>,
  h5: ({ children }: Part<'h5'>) => <h6 className="said-3">{children}</h6>,
  h6: ({ children }: Part<'h6'>) => <h6 className="said-3">{children}</h6>,
}

/** Tags are not among what is parsed: they are shown as they were written. */
const { sanitize, harden } = defaultRehypePlugins
const rehypePlugins = [sanitize, harden] as NonNullable<StreamdownProps['rehypePlugins']>

/** What nests or runs on without end, or cannot be drawn, is shown as it was written. */
export default function Words({ text }: { text: string }) {
  const safe = forDisplay(text, { multiline: true }).text
  if (isBeyondMarkup(safe)) return <SafeBlock text={text} />
  return (
    <Catch shown={() => <SafeBlock text={text} />}>
      <div dir="auto" className="prose">
        <Streamdown components={parts} rehypePlugins={rehypePlugins} controls={false}>
          {safe}
        </Streamdown>
      </div>
    </Catch>
  )
}

/** A picture would tell its host that it was looked at. */
function NoPicture({ alt }: Part<'img'>) {
  return <span className="text-ink-3">{words.thread.picture(alt ?? '')}</span>
}

/** A place in the reply itself, as of a footnote, is no address. */
function PlainAddress({ href = '', children }: Part<'a'>) {
  if (href.startsWith('#')) return href.includes('fnref') ? null : <span>{children}</span>
  return (
    <span>
      {children} <code className="break-all">{forDisplay(href).text}</code>
    </span>
  )
}
