/** What is shown where there is nothing. */
import { ButtonLink, EmptyState, Page } from '../kit/index.ts'

export function NotFound() {
  return (
    <Page title="Nothing here">
      <EmptyState
        sentence="No page has this address. It may be from another version, or the thing is gone."
        action={<ButtonLink to="/">Go to Today</ButtonLink>}
      />
    </Page>
  )
}
