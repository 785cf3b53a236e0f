/** Owns the comparison with a provider's bill. The admin key is sent once, kept nowhere, and gone from the form after. */
import type { ReconciliationReply } from '@countersign/contract'
import { useState } from 'react'
import { useChange } from '../../environment/queries.ts'
import { Button, type Column, Dialog, Money, Safe, Table, TextField } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/costs.tsx'

export function CompareWithBill({ span }: { span: { readonly from: string; readonly to?: string } }) {
  const [open, setOpen] = useState(false)
  const [adminKey, setAdminKey] = useState('')
  const compare = useChange(
    (client) => client.reconcile({ ...span, ...(adminKey === '' ? {} : { adminKey }) }),
    [['costs']],
  )
  const close = () => {
    setOpen(false)
    setAdminKey('')
    compare.reset()
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.bill.open}</Button>
      <Dialog
        open={open}
        onClose={close}
        title={words.bill.title}
        description={words.bill.about}
        actions={
          <>
            <Button onClick={close}>{common.close}</Button>
            <Button
              variant="go"
              busy={compare.isPending}
              onClick={() => compare.mutate(undefined, { onSettled: () => setAdminKey('') })}
            >
              {compare.isPending ? words.bill.comparing : words.bill.compare}
            </Button>
          </>
        }
      >
        <TextField
          label={words.bill.key}
          hint={words.bill.keyHint}
          type="password"
          value={adminKey}
          onChange={(event) => setAdminKey(event.target.value)}
        />
        {compare.error === null ? null : (
          <p role="alert" className="mt-3 text-small font-medium text-bad">
            {compare.error.message}
          </p>
        )}
        {compare.data === undefined ? null : (
          <div className="mt-3">
            <Table
              caption={words.bill.title}
              columns={columns}
              rows={compare.data}
              keyOf={({ provider }) => provider}
            />
          </div>
        )}
      </Dialog>
    </>
  )
}

const columns: readonly Column<ReconciliationReply>[] = [
  { title: words.bill.provider, cell: ({ provider }) => <Safe text={provider} /> },
  { title: words.bill.recorded, cell: ({ localUsd }) => <Money usd={localUsd} />, number: true },
  {
    title: words.bill.billed,
    cell: ({ billedUsd, problem }) =>
      billedUsd === null ? <Safe text={problem ?? words.bill.unknown} /> : <Money usd={billedUsd} />,
    number: true,
  },
  {
    title: words.bill.result,
    cell: ({ adjusted, billedUsd }) =>
      billedUsd === null ? '' : adjusted ? words.bill.corrected : words.bill.agrees,
  },
]
