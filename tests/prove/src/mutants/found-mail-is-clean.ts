/** What is found in an e-mail is worth what every record is worth. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/content/mail/take-mails.ts',
    from: 'label: searchedMailLabel(account, mail),',
    to: 'label: null,',
  },
])
