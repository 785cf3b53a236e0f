/** Owns how accounts of one kind stand on the page: what they are for, a card for each, and one button to add. */
import type { UseQueryResult } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, EmptyState, Loaded, Mono, Section, Sheet } from '../../../kit/index.ts'

export function AccountList<Account extends { readonly name: string }>({
  title,
  about,
  none,
  add,
  accounts,
  onAdd,
  card,
}: {
  title: string
  about: string
  none: string
  add: string
  accounts: UseQueryResult<readonly Account[]>
  onAdd: () => void
  card: (account: Account) => ReactNode
}) {
  const button = (
    <Button variant="go" icon={Plus} onClick={onAdd}>
      {add}
    </Button>
  )
  return (
    <Section title={title} level={2}>
      <p className="mb-4 max-w-prose text-ink-2">{about}</p>
      <Loaded
        query={accounts}
        isEmpty={(rows) => rows.length === 0}
        empty={<EmptyState sentence={none} action={button} />}
      >
        {(rows) => (
          <>
            <ul className="space-y-3">
              {rows.map((account) => (
                <li key={account.name}>{card(account)}</li>
              ))}
            </ul>
            <div className="mt-4">{button}</div>
          </>
        )}
      </Loaded>
    </Section>
  )
}

export function AccountCard({
  name,
  menu,
  children,
}: {
  name: string
  menu: ReactNode
  children: ReactNode
}) {
  return (
    <Sheet>
      <div className="flex items-center gap-2">
        <h3 className="min-w-0 flex-1 text-base font-[600]">
          <Mono text={name} className="bg-transparent px-0" />
        </h3>
        {menu}
      </div>
      {children}
    </Sheet>
  )
}
