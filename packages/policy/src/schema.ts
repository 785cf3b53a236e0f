/**
 * Owns the vocabulary of policy. A rule that names anything else does not compile. There is no hour and no date:
 * expiry is the grant's concern, and a decision must come out the same when it is looked at again.
 */
export const schemaText = `// operator, peer, schedule or webhook.
entity RequesterKind;
entity Requester in [RequesterKind];

entity Category;
entity Tool in [Category];

action call appliesTo {
  principal: [Requester],
  resource: [Tool],
  context: {
    // True while asking "and if the operator approves?".
    approved: Bool,
    // A grant of the operator's covers this call. Never true above tier 2 or for a call with a secret; once untrusted
    // content was read, only for a plain look or document and a grant that says so.
    granted: Bool,
    tier: Long,
    autonomy: String,
    integrity: String,
    confidentiality: String,
    unattended: Bool,
    // The agent whose run makes the call, the goal that it is made for and the conversation, by their ids; empty for none.
    // A forbid is asked also with those of whoever began the work, one after the other; a permit is not.
    agent: String,
    goal: String,
    session: String,
    // Where the words came in: the channel, the chat there, and the paired person who wrote them; empty for none. All are
    // ids; the operator's own account is no peer.
    channel: String,
    chat: String,
    peer: String,
    // The run has read an e-mail of which nothing shows that its sender wrote it.
    unproven: Bool,
    reads: Bool,
    changes: Bool,
    // Something leaves this machine, if only a request.
    egress: Bool,
    outward: Bool,
    irreversible: Bool,
    uninspectable: Bool,
    // The call looks at a file or folder of this computer that is not in the workspace.
    outside: Bool,
    // It makes a plain document that was not there, or writes one again that this task made. Only told of the
    // operator's own attended runs, once they read untrusted content.
    fresh: Bool,
    // It writes a plain document whose path the operator said to this run. Told as above.
    named: Bool,
    // A plain look at a public page, from a run of the operator's that knows nothing private.
    look: Bool,
    // A question for a reader: in words that the operator said in this task, or written by who knew only these.
    question: Bool,
    // A plain look of a reader, which was told one question and knows nothing else.
    reader: Bool,
    // A change inside that can be undone and that the operator's words to this run ask for. Told as fresh is.
    asked: Bool,
    // The names of the secrets whose values would be put in on the way out.
    secrets: Set<String>,
    hosts: Set<String>,
    // What is touched, and every folder above it, so that a rule can name a whole tree.
    paths: Set<String>,
    folders: Set<String>,
    methods: Set<String>,
    // The server of the Model Context Protocol that is called, as you named it, and its tool, as it names it; empty for none.
    server: String,
    serverTool: String,
  },
};
`
