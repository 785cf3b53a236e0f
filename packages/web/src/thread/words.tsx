/** Shows what the agent said, with its headings, lists and code. Pictures are not loaded and links say where they go. */

import { forDisplay } from '@countersign/contract'
import type { ComponentProps } from 'react'
import { Streamdown } from 'streamdown'
import { words } from '../words/chat.tsx'

const nowhere = { img: NoPicture, a: PlainAddress }

export default function Words({ text }: { text: string }) {
  return (
    <div dir="auto" className="prose">
      <Streamdown components={nowhere} controls={false}>
        {forDisplay(text, { multiline: true }).text}
      </Streamdown>
    </div>
  )
}

/** A picture would tell its host that it was looked at. */
function NoPicture({ alt }: ComponentProps<'img'>) {
  return <span className="text-ink-3">{words.thread.picture(alt ?? '')}</span>
}

function PlainAddress({ href, children }: ComponentProps<'a'>) {
  return (
    <span>
      {children} <code className="text-small break-all">{forDisplay(href ?? '').text}</code>
    </span>
  )
}
