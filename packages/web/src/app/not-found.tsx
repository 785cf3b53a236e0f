/** What is shown where there is nothing. */

import { ButtonLink, EmptyState, Page } from '../kit/index.ts'
import { words } from '../words/frame.tsx'

export function NotFound() {
  return (
    <Page title={words.notFound.title}>
      <EmptyState
        sentence={words.notFound.sentence}
        action={<ButtonLink to="/">{words.notFound.back}</ButtonLink>}
      />
    </Page>
  )
}
