/** Made from docs/openapi.json by packages/client/generator; do not edit. SHA-256 of what it was made from: 6c97cbd8cc0211f0325770fb61a3a1bce9f0ea09ce122f0459323ef5c08480f0 */
export interface paths {
    "/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the configuration
         * @description Needs the permission VIEW.
         */
        get: operations["getPlatformConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the configuration
         * @description What is left out stays as it is. supportedCurrencies replaces the whole list, and payments in a currency that is not on it are refused; embeddedWalletConfig is merged field by field, and null takes back its appName, addresses and logoUrl. An empty or null webhookEndpoint removes it. A umaDomain of another platform is refused; outside the sandbox a new one is proven by the TXT record that details.dnsRecord of the refusal names.
         *
         *     Needs the permission MANAGE.
         */
        patch: operations["updatePlatformConfig"];
        trace?: never;
    };
    "/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers
         * @description Needs the permission VIEW.
         */
        get: operations["listCustomers"];
        put?: never;
        /**
         * Create a customer
         * @description Creates the customer with one internal account per currency and an embedded wallet. Region, currencies, payment address and platformCustomerId are chosen by the service where they are left out.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/{customerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a customer
         * @description A deleted customer stays readable.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getCustomer"];
        put?: never;
        post?: never;
        /**
         * Delete a customer
         * @description The customer stays readable and moves no money any more. Its internal accounts are closed; its payment address and platformCustomerId are free. Refused (409) while an account of it has money or a payment of it is under way: `details.balances` and `details.transactions` name them.
         *
         *     Needs the permission MANAGE.
         */
        delete: operations["deleteCustomer"];
        options?: never;
        head?: never;
        /**
         * Change a customer
         * @description What is left out stays as it is; address and businessInfo are merged field by field, currencies replace the list. The region cannot be changed. A currency that is new opens an account. A new email of a customer whose wallet has an EMAIL_OTP credential needs the signature of a session of the wallet: the first call answers a challenge. It ends the other sessions that this credential issued.
         *
         *     Needs the permission MANAGE.
         */
        patch: operations["updateCustomer"];
        trace?: never;
    };
    "/customers/{customerId}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a customer's personal data
         * @description An extension of the interface. Deletes the customer if needed, then destroys the key that seals the person's data in the log: names, addresses, numbers, what payments tell of the person. Read models, stored webhook bodies, kept answers, mails and files are cleared. What is left are ids, amounts and times. Refused (409) as deleting is. Safe to repeat: the answer says whether everything is done.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["eraseCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/beneficial-owners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the beneficial owners of a business
         * @description Needs the permission VIEW.
         */
        get: operations["listBeneficialOwners"];
        put?: never;
        /**
         * Add a beneficial owner to a business
         * @description Starts the owner's own check.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["createBeneficialOwner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/beneficial-owners/{beneficialOwnerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a beneficial owner
         * @description Needs the permission VIEW.
         */
        get: operations["getBeneficialOwner"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a beneficial owner
         * @description Roles replace the list; personalInfo is merged field by field. A lastName repeats the owner's check.
         *
         *     Needs the permission MANAGE.
         */
        patch: operations["updateBeneficialOwner"];
        trace?: never;
    };
    "/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List documents
         * @description Needs the permission VIEW.
         */
        get: operations["listDocuments"];
        put?: never;
        /**
         * Upload a document of a customer or a beneficial owner
         * @description The type of the file is told by its first bytes. Its content is never returned.
         *
         *     Choose a file to try it out.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["uploadDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/documents/{documentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is known of a document
         * @description Needs the permission VIEW.
         */
        get: operations["getDocument"];
        /**
         * Replace a document
         * @description The file and every field are replaced; the holder stays. Not once the document has been submitted for verification.
         *
         *     Choose a file to try it out.
         *
         *     Needs the permission MANAGE.
         */
        put: operations["replaceDocument"];
        post?: never;
        /**
         * Delete a document
         * @description Not once it has been submitted for verification.
         *
         *     Needs the permission MANAGE.
         */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List verifications
         * @description Needs the permission VIEW.
         */
        get: operations["listVerifications"];
        put?: never;
        /**
         * Verify a customer
         * @description Submits what is known of the customer. What is missing stands in errors, and the answer is 200 all the same: add it and ask again.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["createVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verifications/{verificationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a verification
         * @description Needs the permission VIEW.
         */
        get: operations["getVerification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/internal-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers' internal accounts
         * @description Needs the permission VIEW.
         */
        get: operations["listCustomerInternalAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/internal-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the platform's own internal accounts
         * @description Needs the permission VIEW.
         */
        get: operations["listPlatformInternalAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/trial-balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the trial balance of the platform's books
         * @description An extension of the interface, for auditors: per currency, what each kind of account holds. The total is zero.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getTrialBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/external-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers' external accounts
         * @description Needs the permission VIEW.
         */
        get: operations["listCustomerExternalAccounts"];
        put?: never;
        /**
         * Register a customer's external account
         * @description Without customerId the account belongs to the platform, and defaultUmaDepositAccount is ignored.
         *
         *     Needs the permission TRANSACT or MANAGE.
         */
        post: operations["createCustomerExternalAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/external-accounts/{externalAccountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a customer's external account
         * @description Needs the permission VIEW.
         */
        get: operations["getCustomerExternalAccount"];
        put?: never;
        post?: never;
        /**
         * Delete a customer's external account
         * @description Open quotes from it or to it are not executed any more: they expire. Where an agent could pay more without its rule for the account, this takes TRANSACT.
         *
         *     Needs the permission TRANSACT or MANAGE.
         */
        delete: operations["deleteCustomerExternalAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/external-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the platform's own external accounts
         * @description Needs the permission VIEW.
         */
        get: operations["listPlatformExternalAccounts"];
        put?: never;
        /**
         * Register the platform's own external account
         * @description Needs the permission TRANSACT or MANAGE.
         */
        post: operations["createPlatformExternalAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/external-accounts/{externalAccountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the platform's own external account
         * @description Needs the permission VIEW.
         */
        get: operations["getPlatformExternalAccount"];
        put?: never;
        post?: never;
        /**
         * Delete the platform's own external account
         * @description Open quotes from it or to it are not executed any more: they expire.
         *
         *     Needs the permission TRANSACT or MANAGE.
         */
        delete: operations["deletePlatformExternalAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transfer-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pull money from an external account
         * @description From external accounts that can be pulled from; otherwise pay in with the payment instructions of the internal account.
         *
         *     Needs the permission TRANSACT.
         */
        post: operations["transferIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transfer-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Push money to an external account
         * @description The amount leaves the internal account at once; what fails is refunded.
         *
         *     Needs the permission TRANSACT.
         */
        post: operations["transferOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receiver/uma/{receiverUmaAddress}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a payment address
         * @description A quote to the address needs the lookupId. Name the sender by customerId or by payment address; both have to name the same customer.
         *
         *     Needs the permission VIEW.
         */
        get: operations["lookUpUmaAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receiver/external-account/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up an external account
         * @description Name the sender by customerId or by payment address; both have to name the same customer.
         *
         *     Needs the permission VIEW.
         */
        get: operations["lookUpExternalAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a quote
         * @description Fixes rate and fees until the quote expires. The source is an internal account, in the sandbox an external account that can be pulled from, or REALTIME_FUNDING, which runs by itself when the money arrives; the destination is an internal or external account, or a payment address that was looked up.
         *
         *     Needs the permission TRANSACT.
         */
        post: operations["createQuote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quotes/{quoteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a quote
         * @description Needs the permission VIEW.
         */
        get: operations["getQuote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/quotes/{quoteId}/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a quote
         * @description Takes the money from the source and starts the payment. Of several executions of one quote, one succeeds.
         *
         *     Needs the permission TRANSACT.
         */
        post: operations["executeQuote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions
         * @description Needs the permission VIEW.
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a transaction
         * @description Needs the permission VIEW.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{transactionId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve an incoming payment
         * @description For payments to a payment address that wait for the platform. Of approval, rejection and time running out, the first counts.
         *
         *     To try it out, set a `webhookEndpoint` in the configuration first, one that answers 202: without one incoming payments are credited at once.
         *
         *     Needs the permission TRANSACT.
         */
        post: operations["approveTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{transactionId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject an incoming payment
         * @description To try it out, set a `webhookEndpoint` in the configuration first, one that answers 202: without one incoming payments are credited at once.
         *
         *     Needs the permission TRANSACT.
         */
        post: operations["rejectTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{transactionId}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that the payment's receipt was delivered
         * @description For completed payments. The first confirmation counts; a repeat answers with it.
         *
         *     Needs the permission TRANSACT.
         */
        post: operations["confirmReceiptDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite somebody to claim a link
         * @description amountToSend is shown to the claiming side and moves no money: the inviting platform sends it after the invitation was claimed.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{invitationCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an invitation
         * @description Every platform can read it by its code.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getInvitation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{invitationCode}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim an invitation
         * @description Every platform can claim it by its code. The first claim wins. An invitation that nobody has claimed is cancelled once the inviting customer is deleted.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["claimInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{invitationCode}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an invitation
         * @description Only the platform that created it can.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["cancelInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a wallet's credentials
         * @description Needs the permission VIEW.
         */
        get: operations["listAuthCredentials"];
        put?: never;
        /**
         * Register a credential
         * @description The first credential of a wallet is registered at once. Any other needs the signature of a session: the first call answers a challenge. EMAIL_OTP sends its code when the credential is registered.
         *
         *     Needs the permission TRANSACT or MANAGE.
         */
        post: operations["createAuthCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/credentials/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a credential
         * @description Ends the sessions that it issued. A session of another credential has to sign, and the last credential stays.
         *
         *     To try it out, give the wallet a second credential first, which takes a signature of a session of it.
         *
         *     Needs the permission TRANSACT or MANAGE.
         */
        delete: operations["deleteAuthCredential"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/credentials/{id}/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a code, or ask for a passkey challenge
         * @description EMAIL_OTP: mails a new code, which voids the one before; the body is ignored. PASSKEY: a challenge for an assertion, bound to clientPublicKey.
         *
         *     Needs the permission TRANSACT or MANAGE.
         */
        post: operations["challengeAuthCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/credentials/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a session
         * @description Proves the credential and answers a session with its private key sealed to clientPublicKey. PASSKEY takes the requestId of its challenge in the header Request-Id.
         *
         *     Needs the permission TRANSACT or MANAGE.
         */
        post: operations["verifyAuthCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a wallet's active sessions
         * @description Needs the permission VIEW.
         */
        get: operations["listAuthSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a session
         * @description Any active session of the wallet may sign, the revoked one included.
         *
         *     Tried out without a signature, it answers 202 with what a session of the wallet has to sign.
         *
         *     Needs the permission TRANSACT or MANAGE.
         */
        delete: operations["deleteAuthSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh a session
         * @description Issues a further session; this one goes on until it expires. Its own key has to sign, and it has to be active on both calls.
         *
         *     Tried out without a signature, it answers 202 with what a session of the wallet has to sign.
         *
         *     Needs the permission TRANSACT or MANAGE.
         */
        post: operations["refreshAuthSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal-accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a wallet's privacy
         * @description Tried out without a signature, it answers 202 with what a session of the wallet has to sign.
         *
         *     Needs the permission TRANSACT or MANAGE.
         */
        patch: operations["updateInternalAccount"];
        trace?: never;
    };
    "/internal-accounts/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export a wallet
         * @description Answers the recovery phrase (BIP-39), sealed to clientPublicKey. Use a fresh key.
         *
         *     Tried out without a signature, it answers 202 with what a session of the wallet has to sign.
         *
         *     Needs the permission TRANSACT or MANAGE.
         */
        post: operations["exportInternalAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API tokens
         * @description Needs the permission VIEW.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Issue an API token
         * @description For the environment of the caller's token. This answer is the only one with clientSecret.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an API token
         * @description Needs the permission VIEW.
         */
        get: operations["getToken"];
        put?: never;
        post?: never;
        /**
         * Delete an API token
         * @description It stops within one second. A token cannot delete itself, so one with MANAGE always remains.
         *
         *     Needs the permission MANAGE.
         */
        delete: operations["deleteToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description Needs the permission VIEW.
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Create an agent
         * @description Answers with the first device code, which is shown once: whoever redeems it becomes the agent. A policy by which the agent pays without approval takes TRANSACT as well.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an agent
         * @description Needs the permission VIEW.
         */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        /**
         * Delete an agent
         * @description Its token is dead at once, and what waits for approval becomes REJECTED.
         *
         *     Needs the permission MANAGE.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        /**
         * Rename or pause an agent
         * @description A paused agent reads and does nothing else. To let one go on that pays without approval takes TRANSACT as well.
         *
         *     Needs the permission MANAGE.
         */
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/agents/{agentId}/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the policy of an agent
         * @description Takes effect at once. Permissions and lists are replaced whole, spending limits one by one; null takes a limit away. What lets the agent pay more without approval takes TRANSACT as well.
         *
         *     Needs the permission MANAGE.
         */
        patch: operations["updateAgentPolicy"];
        trace?: never;
    };
    "/agents/{agentId}/device-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a further device code
         * @description Codes issued before are void. The code is shown once and good for 24 hours. Where the agent pays without approval, it takes TRANSACT as well.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["createDeviceCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/device-codes/{code}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether a device code was redeemed
         * @description Needs the permission VIEW.
         */
        get: operations["getDeviceCodeStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/device-codes/{code}/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a device code
         * @description Answers with the access token of the agent, which is shown once. Of several redemptions one succeeds; it is answered again for a minute to whoever sends it with the same Redemption-Key.
         *
         *     Takes no credentials.
         */
        post: operations["redeemDeviceCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the actions that wait for approval
         * @description Needs the permission VIEW.
         */
        get: operations["listAgentApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the actions that were approved or rejected
         * @description An extension of the interface. What the policy alone allowed is not there: nobody decided on it.
         *
         *     Needs the permission VIEW.
         */
        get: operations["listAgentDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agentId}/actions/{actionId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve an action of an agent
         * @description Policy, balance and quote are looked at again: the answer is 200 with the status FAILED, and `failure` says why, where the action cannot be executed now.
         *
         *     Needs the permission TRANSACT.
         */
        post: operations["approveAgentAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agentId}/actions/{actionId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject an action of an agent
         * @description Needs the permission TRANSACT.
         */
        post: operations["rejectAgentAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the agent itself, with policy and usage
         * @description Needs no permission of the policy; a paused agent reads it too. `usage` is of the day and month in UTC.
         */
        get: operations["getAgentMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/me/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transactions of the agent's customer
         * @description Needs VIEW_TRANSACTIONS. Takes no filter by customer.
         */
        get: operations["listAgentTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/me/transactions/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a transaction of the agent's customer
         * @description Needs VIEW_TRANSACTIONS.
         */
        get: operations["getAgentTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/me/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a quote as an agent
         * @description Needs CREATE_QUOTES, with immediatelyExecute also EXECUTE_QUOTES. Where the execution needs approval, the quote is answered as PENDING and an action waits.
         */
        post: operations["createAgentQuote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/me/quotes/{quoteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a quote that the agent made
         * @description Needs CREATE_QUOTES or EXECUTE_QUOTES.
         */
        get: operations["getAgentQuote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/me/quotes/{quoteId}/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a quote that the agent made
         * @description Needs EXECUTE_QUOTES. The action waits for approval where the policy says so.
         */
        post: operations["executeAgentQuote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/me/transfer-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pull money from an external account as an agent
         * @description Needs CREATE_TRANSFERS. The action waits for approval where the policy says so.
         */
        post: operations["agentTransferIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/me/transfer-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Push money to an external account as an agent
         * @description Needs CREATE_TRANSFERS. The action waits for approval where the policy says so.
         */
        post: operations["agentTransferOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/me/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agent's own actions
         * @description What the agent has asked for and its policy allowed: executed, waiting for approval, or come to nothing, as what was answered with an error because another payment took the money at the same moment. Needs no permission of the policy.
         */
        get: operations["listAgentActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/me/actions/{actionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an action of the agent
         * @description Its status says whether it waits, and what was decided; `transaction` says how far the payment has come. Needs no permission of the policy; another agent's is 404.
         */
        get: operations["getAgentAction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/me/internal-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the internal accounts that the agent may use
         * @description Needs VIEW_TRANSACTIONS.
         */
        get: operations["listAgentInternalAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/me/external-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the external accounts of the agent's customer
         * @description Needs MANAGE_EXTERNAL_ACCOUNTS.
         */
        get: operations["listAgentExternalAccounts"];
        put?: never;
        /**
         * Register an external account of the agent's customer
         * @description Needs MANAGE_EXTERNAL_ACCOUNTS. Another customer's id is refused.
         */
        post: operations["createAgentExternalAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/me/external-accounts/{externalAccountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an external account of the agent's customer
         * @description Needs MANAGE_EXTERNAL_ACCOUNTS.
         */
        get: operations["getAgentExternalAccount"];
        put?: never;
        post?: never;
        /**
         * Delete an external account of the agent's customer
         * @description Needs MANAGE_EXTERNAL_ACCOUNTS. An account that a rule of an agent's policy names is refused.
         */
        delete: operations["deleteAgentExternalAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exchange-rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List exchange rates and fees
         * @description For each pair of currencies, what arrives of an amount, also of one that a quote may not send: minSendingAmount and maxSendingAmount say what it may. A pair of which more would arrive than int64 holds is left out, and so is one into a cryptocurrency, which no payment rail pays out, and one of a currency to itself, in which nothing is exchanged: of these a quote says rate and fees. destinationPaymentRail is that of the account type which is named after the currency, and SWIFT for a currency that has none, such as ARS. A quote fixes the rate; this list does not.
         *
         *     Needs the permission VIEW.
         */
        get: operations["listExchangeRates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/internal-accounts/{accountId}/fund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add funds to an internal account
         * @description The money is there at once, and an incoming transaction is recorded.
         *
         *     Needs the permission TRANSACT.
         */
        post: operations["fundInternalAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay the payment instructions of a quote
         * @description Simulates the payer of a quote with REALTIME_FUNDING. An amount other than that of the quote fails the payment. Where the account that the quote pays takes nothing, it is refused as executing is.
         *
         *     Needs the permission TRANSACT.
         */
        post: operations["sandboxSend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/uma/receive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a payment at a payment address
         * @description Simulates an incoming payment. Name the receiver by payment address or by customerId; both have to name the same customer. The sender is one of the sandbox's payment addresses or a customer.
         *
         *     Needs the permission TRANSACT.
         */
        post: operations["sandboxReceive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/internal-accounts/{accountId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Freeze an internal account, or lift that
         * @description An extension of the interface: what the operator of an installation does by the command line. Money that is on its way to a frozen account is held, and credited when it is ACTIVE again.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["sandboxSetInternalAccountStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/external-accounts/{externalAccountId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the verification of an external account, or change what came of it
         * @description An extension of the interface: what the operator of an installation does by the command line. Only an ACTIVE account can be paid or pulled from.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["sandboxSetExternalAccountStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/oidc/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an OIDC token
         * @description Signed by the sandbox's identity provider, for whomever the test wants to be.
         *
         *     Needs the permission TRANSACT or MANAGE.
         */
        post: operations["sandboxOidcToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/oidc/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the sandbox's identity provider
         * @description Takes no credentials.
         */
        get: operations["sandboxOidcConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/oidc/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public keys of the sandbox's identity provider
         * @description Takes no credentials.
         */
        get: operations["sandboxOidcKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the mails of the last 24 hours
         * @description What wallets had mailed. The code 000000 is taken whatever a mail says.
         *
         *     Needs the permission VIEW.
         */
        get: operations["sandboxListEmails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your platform's clock
         * @description An extension of the interface. The time that your platform's objects are stamped and compared with, and when something is due next.
         *
         *     Needs the permission VIEW.
         */
        get: operations["sandboxGetClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop your platform's clock
         * @description An extension of the interface. Time stands still until the clock is advanced or resumed. With `at`, the clock is advanced to that moment, which lets the same calls have the same timestamps each time.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["sandboxFreezeClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put your platform's clock forward
         * @description An extension of the interface. By `duration`, to a moment, or to when something is due next: one of the three. The answer comes when every timer that is due by then has fired, in order, and what follows is done: events, read models, first attempts of webhooks, approvals. A clock that runs goes on from there.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["sandboxAdvanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let your platform's clock go on
         * @description An extension of the interface. From where it stands: it does not go back to the time of the installation.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["sandboxResumeClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what your platform is told, or wait for it
         * @description An extension of the interface. Webhook events, oldest first, whatever came of their delivery. Without a receiver of your own, set the webhookEndpoint to the inbox of the sandbox, inboxUrl of GET /sandbox/outcomes: a platform without an endpoint is told nothing. With `waitSeconds` the answer comes when one matches, or the time is up.
         *
         *     Needs the permission VIEW.
         */
        get: operations["sandboxListWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow your platform's events
         * @description An extension of the interface. Server-sent events: what the log records of your platform, each when the read models have it, or after 2 seconds. The id of an event is its place in the log; a client that comes back with Last-Event-ID, or `after`, misses nothing. An id without an event says how far the log was read: what lay before it was none of your platform's. Without either it begins now. A comment is sent every 15 seconds.
         *
         *     Needs the permission VIEW.
         */
        get: operations["sandboxStreamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the values that steer the sandbox
         * @description An extension of the interface. Every suffix and payment address, and what it does: the table that the sandbox itself reads.
         *
         *     Needs the permission VIEW.
         */
        get: operations["sandboxListOutcomes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what is to go wrong
         * @description An extension of the interface. Those that may still happen, the oldest first. At most 100.
         *
         *     Needs the permission VIEW.
         */
        get: operations["sandboxListFaults"];
        put?: never;
        /**
         * Have something go wrong
         * @description An extension of the interface. An operation of your platform is refused, delayed or cut off, a webhook is sent twice or late, a payment comes back: as often as `times` says, for as long as `lasts` says by your platform's clock. Operations of the sandbox are never hit.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["sandboxCreateFault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/faults/{faultId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Have it go wrong no more
         * @description An extension of the interface.
         *
         *     Needs the permission MANAGE.
         */
        delete: operations["sandboxDeleteFault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your platform's snapshots
         * @description An extension of the interface. The oldest first. At most 20.
         *
         *     Needs the permission VIEW.
         */
        get: operations["sandboxListSnapshots"];
        put?: never;
        /**
         * Remember all that your platform has
         * @description An extension of the interface. Customers, accounts, payments, wallets, agents, tokens, webhooks, timers, the clock, faults: to go back to. It waits until what your platform does has come to rest. A platform has up to 20 snapshots.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["sandboxCreateSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/snapshots/{snapshotId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Forget a snapshot
         * @description An extension of the interface.
         *
         *     Needs the permission MANAGE.
         */
        delete: operations["sandboxDeleteSnapshot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/snapshots/{snapshotId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go back to a snapshot
         * @description An extension of the interface. Your platform is what it was then, under the same ids: what came after is gone, for the interface and for idempotency keys. The log keeps it. Refused where your platform has shared a payment with another one since, and where several processes serve the installation. It takes TRANSACT as well: what comes back, as tokens that were deleted since, may have any permission.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["sandboxRestoreSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call the webhook endpoint with a TEST event
         * @description To try it out, set a `webhookEndpoint` in the configuration first.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["sendTestWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook events
         * @description An extension of the interface. What was sent, is being sent, or could not be sent, newest first.
         *
         *     Needs the permission VIEW.
         */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/events/{webhookEventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook event with its attempts
         * @description An extension of the interface.
         *
         *     To try it out, set a `webhookEndpoint` in the configuration first, so that there are events.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getWebhookEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/events/{webhookEventId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook event again
         * @description An extension of the interface. The event keeps its id and content; the header webhook-redelivery says that it was asked for. One that is pending is left as it is.
         *
         *     To try it out, set a `webhookEndpoint` in the configuration first, so that there are events.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["redeliverWebhookEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the webhook events of a period again
         * @description An extension of the interface. Events created from since until until (default: now) that are not pending, except TEST.
         *
         *     To try it out, set a `webhookEndpoint` in the configuration first.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["redeliverWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the keys that verify webhooks
         * @description An extension of the interface. Two while a rotation is under way. The secret is shown to tokens with MANAGE only.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getWebhookKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the keys that verify webhooks
         * @description An extension of the interface. Both generations hold for 24 hours, or what the operator has set; then the older one is gone. Another rotation has to wait for that.
         *
         *     Needs the permission MANAGE.
         */
        post: operations["rotateWebhookKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/internal-accounts/{accountId}/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what an internal account held at a moment
         * @description An extension of the interface. Without `at` it is what the account holds now.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getBalanceAt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/internal-accounts/{accountId}/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the entries of an internal account between two moments
         * @description An extension of the interface: what the account held before, its entries in the order of the log, and what it held after. Without `from` it begins with the account, without `to` it goes to now.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/trial-balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the trial balance of the platform's books at a moment
         * @description An extension of the interface: per currency, what each kind of account held. The total is zero at every moment.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getTrialBalanceAt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/customers/{customerId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what happened to a customer
         * @description An extension of the interface: the events of the object in the log, oldest first, without personal data.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getCustomerHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/internal-accounts/{accountId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what happened to an internal account
         * @description An extension of the interface: the events of the object in the log, oldest first, without personal data.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getInternalAccountHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/external-accounts/{externalAccountId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what happened to an external account
         * @description An extension of the interface: the events of the object in the log, oldest first, without personal data.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getExternalAccountHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/transactions/{transactionId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what happened to a payment
         * @description An extension of the interface: the events of the object in the log, oldest first, without personal data.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getTransactionHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/agents/{agentId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what happened to an agent
         * @description An extension of the interface: the events of the object in the log, oldest first, without personal data.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getAgentHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List signed checkpoints of the log
         * @description An extension of the interface: what the log was at a moment, newest first. A checkpoint has the number of events and the root of a Merkle tree over their hashes, and nothing of any platform.
         *
         *     Needs the permission VIEW.
         */
        get: operations["listCheckpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove that the log has an event, or has only grown
         * @description An extension of the interface. With `stream` and `revision`: that an event of the platform is in the tree. Else that the tree has grown from the one of `from` events, 1 where it is left out. Both for the tree of `size` events, that of the newest checkpoint where it is left out.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who is signed in at the console
         * @description An extension of the interface.
         *
         *     To try it out, sign in at /console: it answers pages of the console alone.
         *
         *     Takes no credentials.
         */
        get: operations["getConsoleSession"];
        put?: never;
        /**
         * Sign in at the console
         * @description An extension of the interface. Answers with a cookie, which scripts cannot read. With it and the header X-Daybook-Console: 1 every operation takes the caller as this token, for 12 hours at most.
         *
         *     To try it out, put in the credentials of a token.
         *
         *     Takes no credentials.
         */
        post: operations["createConsoleSession"];
        /**
         * Sign out of the console
         * @description An extension of the interface. The cookie is worth nothing from then on.
         *
         *     Takes no credentials.
         */
        delete: operations["deleteConsoleSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requests of the last days
         * @description An extension of the interface. Requests of the platform's tokens and agents that were answered, but for those of the console itself, newest first; a second or two late, and kept for 7 days.
         *
         *     Needs the permission VIEW.
         */
        get: operations["listConsoleRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/requests/{requestId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a request said, and what it was answered
         * @description An extension of the interface. Where there were many at once, not all bodies are kept: they are null then.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getConsoleRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch the platform's payments
         * @description An extension of the interface. Server-sent events: `transaction` with id, type, status and time of each payment that changes after the stream has begun, as the read models have it; changes at the same moment may be told as one. A comment is sent every 15 seconds. A stream ends after `seconds`.
         *
         *     Needs the permission VIEW.
         */
        get: operations["watchTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/transactions/{transactionId}/life": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment's events, and the entries that it made on accounts
         * @description An extension of the interface: the events of the payment and of the platform's accounts that it changed, in the order of the log, each with its data and the event that led to it. Of an account with more than 5,000 entries while the payment was under way, those near its first and its last event are found.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getTransactionLife"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find something by its id
         * @description An extension of the interface. Finds payments, quotes, customers, beneficial owners, documents, verifications, internal and external accounts, agents and their actions, webhook events, API tokens and logged requests of the platform. Of what was deleted it finds customers, with their owners and verifications, and accounts. A uuid alone is tried as each kind, payments first.
         *
         *     Needs the permission VIEW.
         */
        get: operations["searchById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how the service does for the platform
         * @description An extension of the interface. A point for each 5 seconds of the last 15 minutes, oldest first, as the answering process has seen them; requests of the console are not counted.
         *
         *     Needs the permission VIEW.
         */
        get: operations["getConsoleHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        PlatformConfigUpdateRequest: {
            umaDomain?: string;
            webhookEndpoint?: ("" | string) | null;
            supportedCurrencies?: {
                currencyCode: string;
                /**
                 * Format: int64
                 * @description In the smallest unit of the currency.
                 */
                minAmount: number;
                /**
                 * Format: int64
                 * @description In the smallest unit of the currency.
                 */
                maxAmount: number;
                requiredCounterpartyFields: {
                    /** @enum {string} */
                    name: "FULL_NAME" | "BIRTH_DATE" | "NATIONALITY" | "PHONE_NUMBER" | "EMAIL" | "POSTAL_ADDRESS" | "TAX_ID" | "REGISTRATION_NUMBER" | "USER_TYPE" | "COUNTRY_OF_RESIDENCE" | "ACCOUNT_IDENTIFIER" | "FI_LEGAL_ENTITY_NAME" | "FI_ADDRESS" | "PURPOSE_OF_PAYMENT" | "ULTIMATE_INSTITUTION_COUNTRY" | "IDENTIFIER" | "BUSINESS_TYPE" | "COMPANY_LEGAL_NAME" | "ID_TYPE" | "ID_NUMBER";
                    mandatory: boolean;
                }[];
                enabledTransactionTypes: components["schemas"]["TransactionType"][];
                /**
                 * Format: int64
                 * @description An extension: what may leave one account in a day of UTC, in minor units; 429 beyond. Absent: not limited.
                 */
                dailyVolumeLimit?: number;
                /** @description An extension: how many payments may leave one account in a clock hour; 403 beyond. Absent: not limited. */
                velocityLimit?: number;
                /** @description Read only: taken and ignored. */
                providerRequiredCustomerFields?: string[];
                /** @description Read only: taken and ignored. */
                providerRequiredCounterpartyCustomerFields?: string[];
            }[];
            embeddedWalletConfig?: {
                appName?: string | null;
                otpLength?: number;
                alphanumeric?: boolean;
                expirationSeconds?: number;
                sendFromEmailAddress?: string | null;
                sendFromEmailSenderName?: string;
                replyToEmailAddress?: string | null;
                logoUrl?: string | null;
            };
            /** @description An extension: whether an Idempotency-Key that is used again with another body is refused, with 409. */
            strictIdempotency?: boolean;
            /** @description An extension: whether a body with a field that its operation does not know is refused, with 400, in place of a Warning. */
            strictFields?: boolean;
        };
        /** @enum {string} */
        TransactionType: "INCOMING" | "OUTGOING";
        /** @enum {string} */
        CustomerType: "INDIVIDUAL" | "BUSINESS";
        CustomerCreateRequest: components["schemas"]["IndividualCreateRequest"] | components["schemas"]["BusinessCreateRequest"];
        IndividualCreateRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            customerType: "INDIVIDUAL";
            platformCustomerId?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            region?: string;
            currencies?: string[];
            umaAddress?: string;
            /** Format: email */
            email?: string;
            phoneNumber?: string;
            address?: components["schemas"]["Address"];
            fullName?: string;
            /** Format: date */
            birthDate?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            nationality?: string;
            /** @enum {string} */
            idType?: "SSN" | "ITIN" | "EIN" | "NON_US_TAX_ID";
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            countryOfIssuance?: string;
            /** @description Taken in the sandbox, ignored elsewhere. */
            kycStatus?: components["schemas"]["KycStatus"];
            identifier?: string;
        };
        Address: {
            line1: string;
            line2?: string;
            city?: string;
            state?: string;
            postalCode: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            country: string;
        };
        /** @enum {string} */
        KycStatus: "UNVERIFIED" | "PENDING" | "APPROVED" | "REJECTED";
        BusinessCreateRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            customerType: "BUSINESS";
            platformCustomerId?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            region?: string;
            currencies?: string[];
            umaAddress?: string;
            /** Format: email */
            email?: string;
            phoneNumber?: string;
            address?: components["schemas"]["Address"];
            businessInfo: components["schemas"]["BusinessInfo"];
            /** @description Taken in the sandbox, ignored elsewhere. */
            kybStatus?: components["schemas"]["KycStatus"];
        };
        BusinessInfo: {
            legalName: string;
            doingBusinessAs?: string;
            registrationNumber?: string;
            taxId?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            country?: string;
            /** Format: date */
            incorporatedOn?: string;
            /** @enum {string} */
            entityType?: "SOLE_PROPRIETORSHIP" | "PARTNERSHIP" | "LLC" | "CORPORATION" | "S_CORPORATION" | "NON_PROFIT" | "OTHER" | "PUBLICLY_LISTED_COMPANY" | "TRUST" | "PRIVATE_FOUNDATION" | "CHARITY";
            countriesOfOperation?: string[];
            expectedRecipientJurisdictions?: string[];
            expectedCounterpartyCountries?: string[];
            /** @enum {string} */
            businessType?: "AGRICULTURE_FORESTRY_FISHING_AND_HUNTING" | "MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION" | "UTILITIES" | "CONSTRUCTION" | "MANUFACTURING" | "WHOLESALE_TRADE" | "RETAIL_TRADE" | "TRANSPORTATION_AND_WAREHOUSING" | "INFORMATION" | "FINANCE_AND_INSURANCE" | "REAL_ESTATE_AND_RENTAL_AND_LEASING" | "PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES" | "MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES" | "ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES" | "EDUCATIONAL_SERVICES" | "HEALTH_CARE_AND_SOCIAL_ASSISTANCE" | "ARTS_ENTERTAINMENT_AND_RECREATION" | "ACCOMMODATION_AND_FOOD_SERVICES" | "OTHER_SERVICES" | "PUBLIC_ADMINISTRATION";
            /** @enum {string} */
            purposeOfAccount?: "CONTRACTOR_PAYOUTS" | "CREATOR_PAYOUTS" | "EMPLOYEE_PAYOUTS" | "MARKETPLACE_SELLER_PAYOUTS" | "SUPPLIER_PAYMENTS" | "CROSS_BORDER_B2B" | "AR_AUTOMATION" | "AP_AUTOMATION" | "EMBEDDED_PAYMENTS" | "PLATFORM_FEE_COLLECTION" | "P2P_TRANSFERS" | "CHARITABLE_DONATIONS" | "OTHER";
            purposeOfAccountOtherDescription?: string;
            sourceOfFunds?: string;
            sourceOfFundsCategories?: ("OPERATING_REVENUE" | "INVESTMENT_INCOME" | "LOANS" | "VENTURE_CAPITAL" | "PERSONAL_SAVINGS" | "DONATIONS" | "OTHER")[];
            sourceOfFundsOtherDescription?: string;
            /** @enum {string} */
            expectedMonthlyTransactionCount?: "COUNT_UNDER_10" | "COUNT_10_TO_100" | "COUNT_100_TO_500" | "COUNT_500_TO_1000" | "COUNT_OVER_1000";
            /** @enum {string} */
            expectedMonthlyTransactionVolume?: "VOLUME_UNDER_10K" | "VOLUME_10K_TO_100K" | "VOLUME_100K_TO_1M" | "VOLUME_1M_TO_10M" | "VOLUME_OVER_10M";
            naicsCode?: string;
            primaryContactFirstName?: string;
            primaryContactLastName?: string;
        };
        CustomerUpdateRequest: {
            customerType?: components["schemas"]["CustomerType"];
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            region?: string;
            currencies?: string[];
            umaAddress?: string;
            /** Format: email */
            email?: string;
            phoneNumber?: string;
            address?: {
                line1?: string;
                line2?: string;
                city?: string;
                state?: string;
                postalCode?: string;
                /**
                 * @description ISO 3166-1 alpha-2 country code.
                 * @example US
                 */
                country?: string;
            };
            fullName?: string;
            /** Format: date */
            birthDate?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            nationality?: string;
            /** @enum {string} */
            idType?: "SSN" | "ITIN" | "EIN" | "NON_US_TAX_ID";
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            countryOfIssuance?: string;
            identifier?: string;
            businessInfo?: {
                legalName?: string;
                doingBusinessAs?: string;
                registrationNumber?: string;
                taxId?: string;
                /**
                 * @description ISO 3166-1 alpha-2 country code.
                 * @example US
                 */
                country?: string;
                /** Format: date */
                incorporatedOn?: string;
                /** @enum {string} */
                entityType?: "SOLE_PROPRIETORSHIP" | "PARTNERSHIP" | "LLC" | "CORPORATION" | "S_CORPORATION" | "NON_PROFIT" | "OTHER" | "PUBLICLY_LISTED_COMPANY" | "TRUST" | "PRIVATE_FOUNDATION" | "CHARITY";
                countriesOfOperation?: string[];
                expectedRecipientJurisdictions?: string[];
                expectedCounterpartyCountries?: string[];
                /** @enum {string} */
                businessType?: "AGRICULTURE_FORESTRY_FISHING_AND_HUNTING" | "MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION" | "UTILITIES" | "CONSTRUCTION" | "MANUFACTURING" | "WHOLESALE_TRADE" | "RETAIL_TRADE" | "TRANSPORTATION_AND_WAREHOUSING" | "INFORMATION" | "FINANCE_AND_INSURANCE" | "REAL_ESTATE_AND_RENTAL_AND_LEASING" | "PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES" | "MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES" | "ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES" | "EDUCATIONAL_SERVICES" | "HEALTH_CARE_AND_SOCIAL_ASSISTANCE" | "ARTS_ENTERTAINMENT_AND_RECREATION" | "ACCOMMODATION_AND_FOOD_SERVICES" | "OTHER_SERVICES" | "PUBLIC_ADMINISTRATION";
                /** @enum {string} */
                purposeOfAccount?: "CONTRACTOR_PAYOUTS" | "CREATOR_PAYOUTS" | "EMPLOYEE_PAYOUTS" | "MARKETPLACE_SELLER_PAYOUTS" | "SUPPLIER_PAYMENTS" | "CROSS_BORDER_B2B" | "AR_AUTOMATION" | "AP_AUTOMATION" | "EMBEDDED_PAYMENTS" | "PLATFORM_FEE_COLLECTION" | "P2P_TRANSFERS" | "CHARITABLE_DONATIONS" | "OTHER";
                purposeOfAccountOtherDescription?: string;
                sourceOfFunds?: string;
                sourceOfFundsCategories?: ("OPERATING_REVENUE" | "INVESTMENT_INCOME" | "LOANS" | "VENTURE_CAPITAL" | "PERSONAL_SAVINGS" | "DONATIONS" | "OTHER")[];
                sourceOfFundsOtherDescription?: string;
                /** @enum {string} */
                expectedMonthlyTransactionCount?: "COUNT_UNDER_10" | "COUNT_10_TO_100" | "COUNT_100_TO_500" | "COUNT_500_TO_1000" | "COUNT_OVER_1000";
                /** @enum {string} */
                expectedMonthlyTransactionVolume?: "VOLUME_UNDER_10K" | "VOLUME_10K_TO_100K" | "VOLUME_100K_TO_1M" | "VOLUME_1M_TO_10M" | "VOLUME_OVER_10M";
                naicsCode?: string;
                primaryContactFirstName?: string;
                primaryContactLastName?: string;
            };
        };
        BeneficialOwnerCreateRequest: {
            customerId: string;
            roles: components["schemas"]["BeneficialOwnerRole"][];
            ownershipPercentage: number;
            personalInfo: components["schemas"]["PersonalInfo"];
        };
        /** @enum {string} */
        BeneficialOwnerRole: "UBO" | "DIRECTOR" | "COMPANY_OFFICER" | "CONTROL_PERSON" | "TRUSTEE" | "GENERAL_PARTNER";
        PersonalInfo: {
            firstName: string;
            middleName?: string;
            lastName: string;
            /** Format: date */
            birthDate: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            nationality: string;
            address: components["schemas"]["Address"];
            /** @enum {string} */
            idType: "SSN" | "ITIN" | "EIN" | "NON_US_TAX_ID";
            identifier: string;
            /** Format: email */
            email?: string;
            phoneNumber?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            countryOfIssuance?: string;
        };
        BeneficialOwnerUpdateRequest: {
            roles?: components["schemas"]["BeneficialOwnerRole"][];
            ownershipPercentage?: number;
            personalInfo?: {
                firstName?: string;
                middleName?: string;
                lastName?: string;
                /** Format: date */
                birthDate?: string;
                /**
                 * @description ISO 3166-1 alpha-2 country code.
                 * @example US
                 */
                nationality?: string;
                address?: components["schemas"]["Address"];
                /** @enum {string} */
                idType?: "SSN" | "ITIN" | "EIN" | "NON_US_TAX_ID";
                identifier?: string;
                /** Format: email */
                email?: string;
                phoneNumber?: string;
                /**
                 * @description ISO 3166-1 alpha-2 country code.
                 * @example US
                 */
                countryOfIssuance?: string;
            };
        };
        DocumentUploadRequest: {
            documentType: components["schemas"]["DocumentType"];
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            country: string;
            side?: components["schemas"]["DocumentSide"];
            documentNumber?: string;
            issuingAuthority?: string;
            documentHolder: string;
            /**
             * Format: binary
             * @description a PDF, a JPEG or a PNG of at most 10 MiB
             */
            file: string;
        };
        /** @enum {string} */
        DocumentType: "PASSPORT" | "DRIVERS_LICENSE" | "NATIONAL_ID" | "PROOF_OF_ADDRESS" | "BANK_STATEMENT" | "TAX_RETURN" | "CERTIFICATE_OF_INCORPORATION" | "ARTICLES_OF_INCORPORATION" | "ARTICLES_OF_ASSOCIATION" | "STATE_REGISTRY_EXCERPT" | "GOOD_STANDING_CERTIFICATE" | "INFORMATION_STATEMENT" | "INCUMBENCY_CERTIFICATE" | "BUSINESS_LICENSE" | "SHAREHOLDER_REGISTER" | "POWER_OF_ATTORNEY" | "UTILITY_BILL" | "ELECTRICITY_BILL" | "RENT_OR_LEASE_AGREEMENT" | "DIRECTOR_REGISTRY" | "TRUST_AGREEMENT" | "STATE_COMPANY_REGISTRY" | "PARTNERSHIP_CONTROL_AGREEMENT" | "PARTNERSHIP_AGREEMENT" | "SELFIE" | "OTHER";
        /** @enum {string} */
        DocumentSide: "FRONT" | "BACK";
        DocumentReplaceRequest: {
            documentType: components["schemas"]["DocumentType"];
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            country: string;
            side?: components["schemas"]["DocumentSide"];
            documentNumber?: string;
            issuingAuthority?: string;
            /**
             * Format: binary
             * @description a PDF, a JPEG or a PNG of at most 10 MiB
             */
            file: string;
        };
        VerificationRequest: {
            customerId: string;
        };
        /** @enum {string} */
        VerificationStatus: "RESOLVE_ERRORS" | "IN_PROGRESS" | "PENDING_MANUAL_REVIEW" | "APPROVED" | "REJECTED" | "READY_FOR_VERIFICATION";
        /** @enum {string} */
        InternalAccountType: "INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET";
        ExternalAccountCreateRequest: {
            currency: string;
            accountInfo: components["schemas"]["AccountInfo"];
            platformAccountId?: string;
            /** @enum {string} */
            ownershipType?: "FIRST_PARTY" | "THIRD_PARTY";
            customerId?: string;
            /** @default false */
            defaultUmaDepositAccount?: boolean;
        };
        AccountInfo: components["schemas"]["UsdAccountInfo"] | components["schemas"]["AedAccountInfo"] | components["schemas"]["EurAccountInfo"] | components["schemas"]["DkkAccountInfo"] | components["schemas"]["GbpAccountInfo"] | components["schemas"]["MxnAccountInfo"] | components["schemas"]["BrlAccountInfo"] | components["schemas"]["CopAccountInfo"] | components["schemas"]["InrAccountInfo"] | components["schemas"]["NgnAccountInfo"] | components["schemas"]["CadAccountInfo"] | components["schemas"]["PhpAccountInfo"] | components["schemas"]["SgdAccountInfo"] | components["schemas"]["HkdAccountInfo"] | components["schemas"]["MyrAccountInfo"] | components["schemas"]["ThbAccountInfo"] | components["schemas"]["VndAccountInfo"] | components["schemas"]["IdrAccountInfo"] | components["schemas"]["ZarAccountInfo"] | components["schemas"]["KesAccountInfo"] | components["schemas"]["RwfAccountInfo"] | components["schemas"]["TzsAccountInfo"] | components["schemas"]["ZmwAccountInfo"] | components["schemas"]["MwkAccountInfo"] | components["schemas"]["UgxAccountInfo"] | components["schemas"]["BwpAccountInfo"] | components["schemas"]["XofAccountInfo"] | components["schemas"]["XafAccountInfo"] | components["schemas"]["BdtAccountInfo"] | components["schemas"]["EgpAccountInfo"] | components["schemas"]["GhsAccountInfo"] | components["schemas"]["CnyAccountInfo"] | components["schemas"]["PkrAccountInfo"] | components["schemas"]["GtqAccountInfo"] | components["schemas"]["JmdAccountInfo"] | components["schemas"]["HtgAccountInfo"] | components["schemas"]["SlvAccountInfo"] | components["schemas"]["SwiftAccountInfo"] | components["schemas"]["SparkWalletInfo"] | components["schemas"]["SolanaWalletInfo"] | components["schemas"]["EthereumWalletInfo"] | components["schemas"]["BaseWalletInfo"] | components["schemas"]["PolygonWalletInfo"] | components["schemas"]["TronWalletInfo"] | components["schemas"]["PlasmaWalletInfo"] | components["schemas"]["LightningInfo"];
        UsdAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "USD_ACCOUNT";
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example 100012341 */
            routingNumber: string;
            /** @example Daybook Partner Bank */
            bankName?: string;
            /**
             * @description CHECKING when absent.
             * @example CHECKING
             * @enum {string}
             */
            bankAccountType?: "CHECKING" | "SAVINGS";
            /** @example Daybook Partner Bank */
            intermediaryBankName?: string;
            /** @example 100012341 */
            intermediaryRoutingNumber?: string;
            fiToFiInformation?: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        Beneficiary: components["schemas"]["IndividualBeneficiary"] | components["schemas"]["BusinessBeneficiary"];
        IndividualBeneficiary: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            beneficiaryType: "INDIVIDUAL";
            fullName: string;
            /** Format: date */
            birthDate?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            nationality?: string;
            /** Format: email */
            email?: string;
            phoneNumber?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            countryOfResidence?: string;
            address?: components["schemas"]["Address"];
            registrationNumber?: string;
            /**
             * @description COP accounts only.
             * @enum {string}
             */
            documentType?: "CC" | "CE" | "TI" | "NIT" | "PP";
            /** @description COP accounts only. */
            documentNumber?: string;
        };
        BusinessBeneficiary: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            beneficiaryType: "BUSINESS";
            legalName: string;
            taxId?: string;
            /** Format: email */
            email?: string;
            phoneNumber?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            countryOfResidence?: string;
            address?: components["schemas"]["Address"];
            registrationNumber?: string;
            /**
             * @description COP accounts only.
             * @enum {string}
             */
            documentType?: "CC" | "CE" | "TI" | "NIT" | "PP";
            /** @description COP accounts only. */
            documentNumber?: string;
        };
        AedAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "AED_ACCOUNT";
            /** @example AE070331234567890123456 */
            iban: string;
            /** @example DAYBUS33XXX */
            swiftCode?: string;
            beneficiary?: components["schemas"]["Beneficiary"];
        };
        EurAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "EUR_ACCOUNT";
            /** @example DE89370400440532013000 */
            iban: string;
            /** @example DAYBUS33XXX */
            swiftCode?: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        DkkAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "DKK_ACCOUNT";
            /** @example DK5000400440116243 */
            iban: string;
            /** @example DAYBUS33XXX */
            swiftCode?: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        GbpAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "GBP_ACCOUNT";
            /** @example 100012 */
            sortCode: string;
            /** @example 10001234 */
            accountNumber: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        MxnAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "MXN_ACCOUNT";
            /** @example 100012345678901234 */
            clabeNumber: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        BrlAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "BRL_ACCOUNT";
            pixKey: string;
            /** @enum {string} */
            pixKeyType: "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "RANDOM";
            /** @example 10001234567890 */
            taxId: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        CopAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "COP_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            /**
             * @example CHECKING
             * @enum {string}
             */
            bankAccountType?: "CHECKING" | "SAVINGS";
            beneficiary: components["schemas"]["Beneficiary"];
        } | {
            /** @example 1000123456789 */
            accountNumber: string;
        } | {
            /** @example +15550123456 */
            phoneNumber: string;
        };
        InrAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "INR_ACCOUNT";
            /** @example daybook.1000123456789@daybank */
            vpa?: string;
            /** @example 100012345678901234 */
            accountNumber?: string;
            /** @example DAYB0000033 */
            ifsc?: string;
            rail?: string;
            /** @example Daybook Partner Bank */
            bankName?: string;
            beneficiary: components["schemas"]["Beneficiary"];
        } | {
            /** @example daybook.1000123456789@daybank */
            vpa: string;
        } | {
            /** @example 100012345678901234 */
            accountNumber: string;
            /** @example DAYB0000033 */
            ifsc: string;
        };
        NgnAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "NGN_ACCOUNT";
            /** @example 1000123456 */
            accountNumber: string;
            /** @example Daybook Partner Bank */
            bankName: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        CadAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "CAD_ACCOUNT";
            /** @example 100 */
            bankCode: string;
            /** @example 10001 */
            branchCode: string;
            /** @example 100012345678 */
            accountNumber: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        PhpAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "PHP_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789012 */
            accountNumber: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        SgdAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "SGD_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName?: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        HkdAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "HKD_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        MyrAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "MYR_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        ThbAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "THB_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        VndAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "VND_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        IdrAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "IDR_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            /** @example +6281234567890 */
            phoneNumber: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        ZarAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "ZAR_ACCOUNT";
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example Daybook Partner Bank */
            bankName: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        KesAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "KES_ACCOUNT";
            /** @example +254712345678 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        RwfAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "RWF_ACCOUNT";
            /** @example +250788123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        TzsAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "TZS_ACCOUNT";
            /** @example +255712345678 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        ZmwAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "ZMW_ACCOUNT";
            /** @example +260971234567 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        MwkAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "MWK_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        UgxAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "UGX_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        BwpAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "BWP_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        XofAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "XOF_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            /**
             * @example BJ
             * @enum {string}
             */
            region: "BJ" | "CI" | "SN" | "TG";
            beneficiary: components["schemas"]["Beneficiary"];
        };
        XafAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "XAF_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            /**
             * @example CM
             * @enum {string}
             */
            region: "CM" | "CG";
            beneficiary: components["schemas"]["Beneficiary"];
        };
        BdtAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "BDT_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            /** @example 10001 */
            branchCode?: string;
            /** @example DAYBUS33XXX */
            swiftCode?: string;
            beneficiary: components["schemas"]["Beneficiary"];
        } | {
            accountNumber: unknown;
        } | {
            phoneNumber: unknown;
        };
        EgpAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "EGP_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example EG380019000500000000263180002 */
            iban?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            beneficiary: components["schemas"]["Beneficiary"];
        } | {
            /** @example EG380019000500000000263180002 */
            iban: string;
        } | {
            /** @example +15550123456 */
            phoneNumber: string;
        };
        GhsAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "GHS_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            beneficiary: components["schemas"]["Beneficiary"];
        } | {
            accountNumber: unknown;
        } | {
            phoneNumber: unknown;
        };
        CnyAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "CNY_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            beneficiary: components["schemas"]["Beneficiary"];
        } | {
            accountNumber: unknown;
        } | {
            phoneNumber: unknown;
        };
        PkrAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "PKR_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            /** @example PK18DAYB0000001123456702 */
            iban?: string;
            beneficiary: components["schemas"]["Beneficiary"];
        } | {
            accountNumber: unknown;
        } | {
            /** @example PK18DAYB0000001123456702 */
            iban: string;
        } | {
            phoneNumber: unknown;
        };
        GtqAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "GTQ_ACCOUNT";
            /** @example 1000123456789 */
            accountNumber: string;
            /**
             * @example CHECKING
             * @enum {string}
             */
            bankAccountType: "CHECKING" | "SAVINGS";
            /** @example Daybook Partner Bank */
            bankName: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        JmdAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "JMD_ACCOUNT";
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example 10001 */
            branchCode: string;
            /**
             * @example CHECKING
             * @enum {string}
             */
            bankAccountType: "CHECKING" | "SAVINGS";
            /** @example Daybook Partner Bank */
            bankName: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        HtgAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "HTG_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            beneficiary: components["schemas"]["Beneficiary"];
        };
        SlvAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "SLV_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName?: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            /**
             * @example CHECKING
             * @enum {string}
             */
            bankAccountType?: "CHECKING" | "SAVINGS";
            beneficiary: components["schemas"]["Beneficiary"];
        } | {
            accountNumber: unknown;
        } | {
            phoneNumber: unknown;
        };
        SwiftAccountInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "SWIFT_ACCOUNT";
            /** @example US */
            country: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example DE89370400440532013000 */
            iban?: string;
            beneficiary: components["schemas"]["Beneficiary"];
        } | {
            /** @example 1000123456789 */
            accountNumber: string;
        } | {
            /** @example DE89370400440532013000 */
            iban: string;
        };
        SparkWalletInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "SPARK_WALLET";
            address: string;
            vaspName?: string;
            beneficiary?: components["schemas"]["Beneficiary"];
        };
        SolanaWalletInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "SOLANA_WALLET";
            address: string;
            vaspName?: string;
            beneficiary?: components["schemas"]["Beneficiary"];
        };
        EthereumWalletInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "ETHEREUM_WALLET";
            address: string;
            vaspName?: string;
            beneficiary?: components["schemas"]["Beneficiary"];
        };
        BaseWalletInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "BASE_WALLET";
            address: string;
            vaspName?: string;
            beneficiary?: components["schemas"]["Beneficiary"];
        };
        PolygonWalletInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "POLYGON_WALLET";
            address: string;
            vaspName?: string;
            beneficiary?: components["schemas"]["Beneficiary"];
        };
        TronWalletInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "TRON_WALLET";
            address: string;
            vaspName?: string;
            beneficiary?: components["schemas"]["Beneficiary"];
        };
        PlasmaWalletInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "PLASMA_WALLET";
            address: string;
            vaspName?: string;
            beneficiary?: components["schemas"]["Beneficiary"];
        };
        LightningInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "LIGHTNING";
            invoice?: string;
            bolt12?: string;
            lightningAddress?: string;
            beneficiary?: components["schemas"]["Beneficiary"];
        } & ({
            invoice: string;
        } | {
            bolt12: string;
        } | {
            lightningAddress: string;
        });
        PlatformExternalAccountCreateRequest: {
            currency: string;
            accountInfo: components["schemas"]["AccountInfo"];
            platformAccountId?: string;
            /** @enum {string} */
            ownershipType?: "FIRST_PARTY" | "THIRD_PARTY";
        };
        TransferInRequest: {
            source: {
                accountId: string;
            };
            destination: {
                accountId: string;
            };
            /**
             * Format: int64
             * @description In the smallest unit of the currency.
             */
            amount: number;
            remittanceInformation?: string;
            /** @enum {string} */
            purposeOfPayment?: "GIFT" | "SELF" | "GOODS_OR_SERVICES" | "EDUCATION" | "HEALTH_OR_MEDICAL" | "REAL_ESTATE_PURCHASE" | "TAX_PAYMENT" | "LOAN_PAYMENT" | "UTILITY_BILL" | "DONATION" | "TRAVEL" | "OTHER";
        };
        TransferOutRequest: {
            source: {
                accountId: string;
            };
            destination: {
                accountId: string;
                paymentRail?: components["schemas"]["PaymentRail"];
            };
            /**
             * Format: int64
             * @description In the smallest unit of the currency.
             */
            amount: number;
            remittanceInformation?: string;
            /** @enum {string} */
            purposeOfPayment?: "GIFT" | "SELF" | "GOODS_OR_SERVICES" | "EDUCATION" | "HEALTH_OR_MEDICAL" | "REAL_ESTATE_PURCHASE" | "TAX_PAYMENT" | "LOAN_PAYMENT" | "UTILITY_BILL" | "DONATION" | "TRAVEL" | "OTHER";
        };
        /** @enum {string} */
        PaymentRail: "ACH" | "WIRE" | "RTP" | "FEDNOW" | "BANK_TRANSFER" | "SEPA" | "SEPA_INSTANT" | "FASTER_PAYMENTS" | "SPEI" | "PIX" | "MOBILE_MONEY" | "UPI" | "NEFT" | "RTGS" | "PAYNOW" | "FAST" | "SWIFT" | "ACH_COLOMBIA" | "BRE_B" | "CIPS" | "INSTAPAY" | "PESONET" | "UNIONPAY";
        QuoteCreateRequest: {
            source: {
                /**
                 * @default ACCOUNT
                 * @enum {string}
                 */
                sourceType?: "ACCOUNT" | "REALTIME_FUNDING";
                /** @description For ACCOUNT. */
                accountId?: string;
                /** @description Who pays, where the account does not say it. Needed with a lookupId, from the platform's own accounts and for REALTIME_FUNDING. */
                customerId?: string;
                /** @description For REALTIME_FUNDING. */
                currency?: string;
                /** @description For REALTIME_FUNDING in a cryptocurrency. */
                cryptoNetwork?: components["schemas"]["CryptoNetwork"];
            };
            destination: {
                /**
                 * @default ACCOUNT
                 * @enum {string}
                 */
                destinationType?: "ACCOUNT" | "UMA_ADDRESS";
                /** @description For ACCOUNT. */
                accountId?: string;
                /** @description For an external account. */
                paymentRail?: components["schemas"]["PaymentRail"];
                /** @description For UMA_ADDRESS. */
                umaAddress?: string;
                /** @description For UMA_ADDRESS: one that the receiver takes; its first when left out. */
                currency?: string;
            };
            /** @enum {string} */
            lockedCurrencySide: "SENDING" | "RECEIVING";
            /**
             * Format: int64
             * @description In the smallest unit of the currency.
             */
            lockedCurrencyAmount: number;
            lookupId?: string;
            /** @default false */
            immediatelyExecute?: boolean;
            description?: string;
            /** @enum {string} */
            purposeOfPayment?: "GIFT" | "SELF" | "GOODS_OR_SERVICES" | "EDUCATION" | "HEALTH_OR_MEDICAL" | "REAL_ESTATE_PURCHASE" | "TAX_PAYMENT" | "LOAN_PAYMENT" | "UTILITY_BILL" | "DONATION" | "TRAVEL" | "OTHER";
            remittanceInformation?: string;
            senderCustomerInfo?: {
                [key: string]: string;
            };
        };
        /** @enum {string} */
        CryptoNetwork: "SOLANA" | "ETHEREUM" | "BASE" | "POLYGON" | "TRON" | "PLASMA" | "SPARK" | "LIGHTNING" | "BITCOIN";
        /** @enum {string} */
        TransactionStatus: "CREATED" | "PENDING" | "PROCESSING" | "COMPLETED" | "REJECTED" | "FAILED" | "REFUNDED" | "EXPIRED";
        /** @enum {string} */
        SortOrder: "asc" | "desc";
        ApproveTransactionRequest: {
            receiverCustomerInfo?: {
                [key: string]: string;
            };
        };
        RejectTransactionRequest: {
            reason?: string;
        };
        ConfirmReceiptRequest: {
            /**
             * Format: date-time
             * @description When the customer was given the receipt: not later than now, which it is when left out.
             */
            receiptDeliveryConfirmedAt?: string;
        };
        InvitationCreateRequest: {
            inviterUma: string;
            /** @description The inviter's, shown to the recipient. Taken from the customer's fullName where left out. */
            firstName?: string;
            /**
             * Format: int64
             * @description In the smallest unit of the inviting customer's first currency. Shown, and not sent.
             */
            amountToSend?: number;
            /** Format: date-time */
            expiresAt?: string;
        };
        InvitationClaimRequest: {
            inviteeUma: string;
        };
        AuthMethodCreateRequest: components["schemas"]["EmailOtpCreateRequest"] | components["schemas"]["OauthCreateRequest"] | components["schemas"]["PasskeyCreateRequest"];
        EmailOtpCreateRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "EMAIL_OTP";
            accountId: string;
            /** Format: email */
            email?: string;
            /** @description Taken and ignored: the credential is named by its e-mail address. */
            nickname?: string;
        };
        OauthCreateRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "OAUTH";
            accountId: string;
            oidcToken: string;
            /** @description Taken and ignored: the credential is named by its e-mail address. */
            nickname?: string;
        };
        PasskeyCreateRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "PASSKEY";
            accountId: string;
            nickname: string;
            challenge: string;
            attestation: {
                credentialId: string;
                clientDataJson: string;
                attestationObject: string;
                transports?: ("usb" | "nfc" | "ble" | "internal" | "hybrid")[];
            };
            transports?: ("usb" | "nfc" | "ble" | "internal" | "hybrid")[];
        };
        AuthChallengeRequest: {
            /** @description Needed for PASSKEY, ignored otherwise. */
            clientPublicKey?: string;
        };
        AuthVerifyRequest: {
            type?: components["schemas"]["AuthMethodType"];
            /** @description For EMAIL_OTP. */
            otp?: string;
            /** @description For OAUTH. */
            oidcToken?: string;
            /** @description For EMAIL_OTP and OAUTH. */
            clientPublicKey?: string;
            /** @description For PASSKEY. */
            assertion?: {
                credentialId: string;
                clientDataJson: string;
                authenticatorData: string;
                signature: string;
                userHandle?: (string | "") | null;
            };
        };
        /** @enum {string} */
        AuthMethodType: "OAUTH" | "EMAIL_OTP" | "PASSKEY";
        AuthSessionRefreshRequest: {
            /** @description A P-256 key of the client: uncompressed SEC1 in hex. */
            clientPublicKey: string;
        };
        InternalAccountUpdateRequest: {
            privateEnabled: boolean;
        };
        InternalAccountExportRequest: {
            /** @description A P-256 key of the client: uncompressed SEC1 in hex. */
            clientPublicKey: string;
        };
        TokenCreateRequest: {
            name: string;
            /** @description VIEW is contained in the other two. A token grants what it has itself, and no more. */
            permissions: components["schemas"]["ApiPermission"][];
        };
        /** @enum {string} */
        ApiPermission: "VIEW" | "TRANSACT" | "MANAGE";
        AgentCreateRequest: {
            name: string;
            customerId: string;
            policy: components["schemas"]["AgentPolicyRequest"];
        };
        AgentPolicyRequest: {
            permissions: components["schemas"]["AgentPermission"][];
            /** @description AUTO when left out. */
            defaultExecutionMode?: components["schemas"]["ExecutionMode"];
            accountRestrictions?: {
                /** @description All accounts of the customer when null or left out. */
                allowedAccountIds?: string[] | null;
                /** @description One for an account at most. */
                accountRules?: {
                    accountId: string;
                    executionMode?: components["schemas"]["ExecutionMode"];
                    /** @description The policy's own when null or left out. */
                    perTransactionLimit?: number | null;
                }[] | null;
            } | null;
            spendingLimits: {
                currency: string;
                /**
                 * Format: int64
                 * @description In the smallest unit of the currency.
                 */
                perTransactionLimit: number;
                /** @description No limit when null or left out. */
                dailyLimit?: number | null;
                dailyTransactionLimit?: number | null;
                /** @description No limit when null or left out. */
                monthlyLimit?: number | null;
            };
            approvalThresholds?: {
                /** @description Required with amount. */
                currency?: string;
                /** @description An amount above it needs approval, whatever the mode. */
                amount?: number | null;
            } | null;
        };
        /** @enum {string} */
        AgentPermission: "VIEW_TRANSACTIONS" | "CREATE_TRANSFERS" | "CREATE_QUOTES" | "EXECUTE_QUOTES" | "MANAGE_EXTERNAL_ACCOUNTS";
        /** @enum {string} */
        ExecutionMode: "AUTO" | "APPROVAL_REQUIRED";
        AgentChangeRequest: {
            name?: string;
            isPaused?: boolean;
        } | {
            name: string;
        } | {
            isPaused: boolean;
        };
        AgentPolicyChangeRequest: {
            permissions?: components["schemas"]["AgentPermission"][];
            /** @description AUTO when left out. */
            defaultExecutionMode?: components["schemas"]["ExecutionMode"];
            accountRestrictions?: {
                /** @description All accounts of the customer when null or left out. */
                allowedAccountIds?: string[] | null;
                /** @description One for an account at most. */
                accountRules?: {
                    accountId: string;
                    executionMode?: components["schemas"]["ExecutionMode"];
                    /** @description The policy's own when null or left out. */
                    perTransactionLimit?: number | null;
                }[] | null;
            } | null;
            spendingLimits?: {
                currency?: string;
                /**
                 * Format: int64
                 * @description In the smallest unit of the currency.
                 */
                perTransactionLimit?: number;
                /** @description No limit when null or left out. */
                dailyLimit?: number | null;
                dailyTransactionLimit?: number | null;
                /** @description No limit when null or left out. */
                monthlyLimit?: number | null;
            };
            approvalThresholds?: {
                /** @description Required with amount. */
                currency?: string;
                /** @description An amount above it needs approval, whatever the mode. */
                amount?: number | null;
            } | null;
        };
        /** @enum {string} */
        AgentDecisionStatus: "APPROVED" | "REJECTED" | "FAILED";
        RejectAgentActionRequest: {
            reason?: string;
        };
        /** @enum {string} */
        AgentActionStatus: "PENDING_APPROVAL" | "APPROVED" | "REJECTED" | "FAILED";
        FundRequest: {
            /**
             * Format: int64
             * @description In the smallest unit of the currency.
             */
            amount: number;
        };
        SandboxSendRequest: {
            quoteId: string;
            currencyCode: string;
            /**
             * Format: int64
             * @description In the smallest unit of the currency.
             */
            currencyAmount?: number;
        };
        SandboxReceiveRequest: {
            senderUmaAddress: string;
            receiverUmaAddress?: string;
            customerId?: string;
            receivingCurrencyCode: string;
            /**
             * Format: int64
             * @description In the smallest unit of the currency.
             */
            receivingCurrencyAmount: number;
        };
        SandboxInternalAccountStatusRequest: {
            /** @enum {string} */
            status: "ACTIVE" | "FROZEN";
            reason?: string;
        };
        SandboxExternalAccountStatusRequest: {
            /** @enum {string} */
            status: "ACTIVE" | "UNDER_REVIEW" | "INACTIVE";
            reason?: string;
        };
        SandboxOidcTokenRequest: {
            subject: string;
            /** Format: email */
            email?: string;
            /** @default daybook-sandbox */
            audience?: string;
            nonce?: string;
        };
        SandboxFreezeClockRequest: {
            /** Format: date-time */
            at?: string;
        };
        SandboxAdvanceClockRequest: {
            /** Format: duration */
            duration?: string;
            /** Format: date-time */
            to?: string;
            /** @constant */
            toNextTimer?: true;
        };
        /** @enum {string} */
        WebhookType: "TEST" | "OUTGOING_PAYMENT.PENDING" | "OUTGOING_PAYMENT.PROCESSING" | "OUTGOING_PAYMENT.COMPLETED" | "OUTGOING_PAYMENT.FAILED" | "OUTGOING_PAYMENT.EXPIRED" | "OUTGOING_PAYMENT.REFUND_PENDING" | "OUTGOING_PAYMENT.REFUND_COMPLETED" | "OUTGOING_PAYMENT.REFUND_FAILED" | "INCOMING_PAYMENT.PENDING" | "INCOMING_PAYMENT.COMPLETED" | "INCOMING_PAYMENT.FAILED" | "INCOMING_PAYMENT.REFUND_PENDING" | "INCOMING_PAYMENT.REFUND_COMPLETED" | "INCOMING_PAYMENT.REFUND_FAILED" | "CUSTOMER.KYC_PENDING" | "CUSTOMER.KYC_APPROVED" | "CUSTOMER.KYC_REJECTED" | "CUSTOMER.KYB_PENDING" | "CUSTOMER.KYB_APPROVED" | "CUSTOMER.KYB_REJECTED" | "VERIFICATION.RESOLVE_ERRORS" | "VERIFICATION.IN_PROGRESS" | "VERIFICATION.PENDING_MANUAL_REVIEW" | "VERIFICATION.APPROVED" | "VERIFICATION.REJECTED" | "VERIFICATION.READY_FOR_VERIFICATION" | "INTERNAL_ACCOUNT.BALANCE_UPDATED" | "INTERNAL_ACCOUNT.STATUS_UPDATED" | "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED" | "EXTERNAL_ACCOUNT.STATUS_UPDATED" | "INVITATION_CLAIMED" | "AGENT_ACTION.PENDING_APPROVAL";
        SandboxFaultRequest: {
            /** @default {} */
            match?: {
                operationId?: string;
                webhookType?: components["schemas"]["WebhookType"];
                accountId?: string;
                currency?: string;
                paymentRail?: string;
                percent?: number;
            };
            effect: components["schemas"]["SandboxFaultEffect"];
            times?: number;
            /** Format: duration */
            lasts?: string;
        };
        SandboxFaultEffect: components["schemas"]["SandboxDuplicateWebhook"] | components["schemas"]["SandboxHoldWebhook"] | components["schemas"]["SandboxReturnPayment"] | components["schemas"]["SandboxRefuse"] | components["schemas"]["SandboxDelay"] | components["schemas"]["SandboxDrop"];
        SandboxDuplicateWebhook: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "DUPLICATE_WEBHOOK";
        };
        SandboxHoldWebhook: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "HOLD_WEBHOOK";
            /** Format: duration */
            delay: string;
        };
        SandboxReturnPayment: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "RETURN_PAYMENT";
            /** Format: duration */
            delay: string;
        };
        SandboxRefuse: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "REFUSE";
            /** @enum {string} */
            code: "INVALID_INPUT" | "INVALID_REQUEST_FORMAT" | "INVALID_UMA_ADDRESS" | "INVALID_CURRENCY" | "INVALID_AMOUNT" | "AMOUNT_OUT_OF_RANGE" | "INVALID_BANK_ACCOUNT" | "INVALID_RECEIVER" | "SELF_PAYMENT" | "INSUFFICIENT_BALANCE" | "MISSING_MANDATORY_USER_INFO" | "INVITATION_ALREADY_CLAIMED" | "INVITATION_CANCELLED" | "INVITATIONS_NOT_CONFIGURED" | "WEBHOOK_ENDPOINT_NOT_SET" | "WEBHOOK_DELIVERY_ERROR" | "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS" | "PASSKEY_CREDENTIAL_ALREADY_EXISTS" | "UNAUTHORIZED" | "WALLET_SIGNATURE_MISSING" | "WALLET_SIGNATURE_MALFORMED" | "WALLET_SIGNATURE_BODY_MISMATCH" | "WALLET_SIGNATURE_INVALID" | "REQUEST_ID_MISSING" | "FORBIDDEN" | "USER_NOT_READY" | "VELOCITY_LIMIT_EXCEEDED" | "USER_NOT_FOUND" | "TRANSACTION_NOT_FOUND" | "QUOTE_NOT_FOUND" | "LOOKUP_REQUEST_NOT_FOUND" | "INVITATION_NOT_FOUND" | "TOKEN_NOT_FOUND" | "UMA_NOT_FOUND" | "REFERENCE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "IDEMPOTENCY_KEY_REUSED" | "UMA_ADDRESS_EXISTS" | "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL" | "QUOTE_EXPIRED" | "EMAIL_OTP_EMAIL_ALREADY_EXISTS" | "EMAIL_OTP_CREDENTIAL_SET_CHANGED" | "CUSTOMER_DELETED" | "RATE_LIMITED" | "DAILY_VOLUME_LIMIT_EXCEEDED" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE" | "NOT_IMPLEMENTED";
        };
        SandboxDelay: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "DELAY";
            /** @enum {string} */
            when: "BEFORE" | "AFTER";
            /** Format: duration */
            delay: string;
        };
        SandboxDrop: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "DROP";
            /** @enum {string} */
            when: "BEFORE" | "AFTER";
        };
        SandboxSnapshotRequest: {
            name?: string;
        };
        /** @enum {string} */
        WebhookState: "PENDING" | "DELIVERED" | "FAILED" | "CANCELLED";
        RedeliverWebhooksRequest: {
            since: string;
            until?: string;
            types?: components["schemas"]["WebhookType"][];
        };
        /** @enum {string} */
        AuditClock: "recorded" | "happened";
        ConsoleSessionCreateRequest: {
            clientId: string;
            /** Format: password */
            clientSecret: string;
        };
        PlatformConfig: {
            id: string;
            umaDomain: string;
            proxyUmaSubdomain: string;
            webhookEndpoint?: string;
            /**
             * Format: date-time
             * @description An extension: since when nothing is sent because the endpoint answered 410. Setting an endpoint ends it.
             */
            webhookEndpointDisabledAt?: string;
            /** @description Verifies X-Service-Signature: SPKI in PEM, P-256. */
            webhookPublicKey: string;
            supportedCurrencies: {
                currencyCode: string;
                /** Format: int64 */
                minAmount: number;
                /** Format: int64 */
                maxAmount: number;
                requiredCounterpartyFields: {
                    /** @enum {string} */
                    name: "FULL_NAME" | "BIRTH_DATE" | "NATIONALITY" | "PHONE_NUMBER" | "EMAIL" | "POSTAL_ADDRESS" | "TAX_ID" | "REGISTRATION_NUMBER" | "USER_TYPE" | "COUNTRY_OF_RESIDENCE" | "ACCOUNT_IDENTIFIER" | "FI_LEGAL_ENTITY_NAME" | "FI_ADDRESS" | "PURPOSE_OF_PAYMENT" | "ULTIMATE_INSTITUTION_COUNTRY" | "IDENTIFIER" | "BUSINESS_TYPE" | "COMPANY_LEGAL_NAME" | "ID_TYPE" | "ID_NUMBER";
                    mandatory: boolean;
                }[];
                enabledTransactionTypes: components["schemas"]["TransactionType"][];
                /**
                 * Format: int64
                 * @description An extension: what may leave one account in a day of UTC, in minor units; 429 beyond. Absent: not limited.
                 */
                dailyVolumeLimit?: number;
                /** @description An extension: how many payments may leave one account in a clock hour; 403 beyond. Absent: not limited. */
                velocityLimit?: number;
                providerRequiredCustomerFields: string[];
                providerRequiredCounterpartyCustomerFields: string[];
            }[];
            isRegulatedFinancialInstitution: boolean;
            embeddedWalletConfig: {
                appName?: string;
                otpLength: number;
                alphanumeric: boolean;
                expirationSeconds: number;
                sendFromEmailAddress?: string;
                sendFromEmailSenderName: string;
                replyToEmailAddress?: string;
                logoUrl?: string;
            };
            /** @description An extension: whether an Idempotency-Key that is used again with another body is refused, with 409. */
            strictIdempotency: boolean;
            /** @description An extension: whether a body with a field that its operation does not know is refused, with 400, in place of a Warning. */
            strictFields: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
        };
        /** @description What was wrong and, for field errors, every field that has to change. */
        Error: {
            status: number;
            code: components["schemas"]["ErrorCode"];
            message: string;
            /** @description Which check of an authentication failed. */
            reason?: string;
            details?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description Others may be added.
         * @enum {string}
         */
        ErrorCode: "INVALID_INPUT" | "INVALID_REQUEST_FORMAT" | "INVALID_UMA_ADDRESS" | "INVALID_CURRENCY" | "INVALID_AMOUNT" | "AMOUNT_OUT_OF_RANGE" | "INVALID_BANK_ACCOUNT" | "INVALID_RECEIVER" | "SELF_PAYMENT" | "INSUFFICIENT_BALANCE" | "MISSING_MANDATORY_USER_INFO" | "INVITATION_ALREADY_CLAIMED" | "INVITATION_CANCELLED" | "INVITATIONS_NOT_CONFIGURED" | "WEBHOOK_ENDPOINT_NOT_SET" | "WEBHOOK_DELIVERY_ERROR" | "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS" | "PASSKEY_CREDENTIAL_ALREADY_EXISTS" | "UNAUTHORIZED" | "WALLET_SIGNATURE_MISSING" | "WALLET_SIGNATURE_MALFORMED" | "WALLET_SIGNATURE_BODY_MISMATCH" | "WALLET_SIGNATURE_INVALID" | "REQUEST_ID_MISSING" | "FORBIDDEN" | "USER_NOT_READY" | "VELOCITY_LIMIT_EXCEEDED" | "USER_NOT_FOUND" | "TRANSACTION_NOT_FOUND" | "QUOTE_NOT_FOUND" | "LOOKUP_REQUEST_NOT_FOUND" | "INVITATION_NOT_FOUND" | "TOKEN_NOT_FOUND" | "UMA_NOT_FOUND" | "REFERENCE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "IDEMPOTENCY_KEY_REUSED" | "UMA_ADDRESS_EXISTS" | "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL" | "QUOTE_EXPIRED" | "EMAIL_OTP_EMAIL_ALREADY_EXISTS" | "EMAIL_OTP_CREDENTIAL_SET_CHANGED" | "CUSTOMER_DELETED" | "RATE_LIMITED" | "DAILY_VOLUME_LIMIT_EXCEEDED" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE" | "NOT_IMPLEMENTED";
        CustomerPage: {
            data: components["schemas"]["Customer"][];
            hasMore: boolean;
            nextCursor?: string;
            totalCount: number;
        };
        /** @description Of an erased customer texts are left out, or say `erased`. */
        Customer: components["schemas"]["IndividualCustomer"] | components["schemas"]["BusinessCustomer"];
        IndividualCustomer: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            customerType: "INDIVIDUAL";
            id: string;
            platformCustomerId: string;
            umaAddress: string;
            region: string;
            currencies: string[];
            email?: string;
            phoneNumber?: string;
            address?: components["schemas"]["AddressOnFile"];
            isDeleted: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
            fullName?: string;
            /** @description ISO 8601 date. */
            birthDate?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            nationality?: string;
            idType?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            countryOfIssuance?: string;
            kycStatus: components["schemas"]["KycStatus"];
        };
        /** @description As it was given. Of an erased customer each text says `erased`. */
        AddressOnFile: {
            line1: string;
            line2?: string;
            city?: string;
            state?: string;
            postalCode: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            country: string;
        };
        BusinessCustomer: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            customerType: "BUSINESS";
            id: string;
            platformCustomerId: string;
            umaAddress: string;
            region: string;
            currencies: string[];
            email?: string;
            phoneNumber?: string;
            address?: components["schemas"]["AddressOnFile"];
            isDeleted: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
            businessInfo: components["schemas"]["BusinessInfoOnFile"];
            kybStatus: components["schemas"]["KycStatus"];
            beneficialOwners: components["schemas"]["BeneficialOwner"][];
        };
        /** @description As it was given. Of an erased customer each text says `erased`. */
        BusinessInfoOnFile: {
            legalName: string;
            doingBusinessAs?: string;
            registrationNumber?: string;
            taxId?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            country?: string;
            /** @description ISO 8601 date. */
            incorporatedOn?: string;
            /** @enum {string} */
            entityType?: "SOLE_PROPRIETORSHIP" | "PARTNERSHIP" | "LLC" | "CORPORATION" | "S_CORPORATION" | "NON_PROFIT" | "OTHER" | "PUBLICLY_LISTED_COMPANY" | "TRUST" | "PRIVATE_FOUNDATION" | "CHARITY" | "erased";
            countriesOfOperation?: string[];
            expectedRecipientJurisdictions?: string[];
            expectedCounterpartyCountries?: string[];
            /** @enum {string} */
            businessType?: "AGRICULTURE_FORESTRY_FISHING_AND_HUNTING" | "MINING_QUARRYING_AND_OIL_AND_GAS_EXTRACTION" | "UTILITIES" | "CONSTRUCTION" | "MANUFACTURING" | "WHOLESALE_TRADE" | "RETAIL_TRADE" | "TRANSPORTATION_AND_WAREHOUSING" | "INFORMATION" | "FINANCE_AND_INSURANCE" | "REAL_ESTATE_AND_RENTAL_AND_LEASING" | "PROFESSIONAL_SCIENTIFIC_AND_TECHNICAL_SERVICES" | "MANAGEMENT_OF_COMPANIES_AND_ENTERPRISES" | "ADMINISTRATIVE_AND_SUPPORT_AND_WASTE_MANAGEMENT_AND_REMEDIATION_SERVICES" | "EDUCATIONAL_SERVICES" | "HEALTH_CARE_AND_SOCIAL_ASSISTANCE" | "ARTS_ENTERTAINMENT_AND_RECREATION" | "ACCOMMODATION_AND_FOOD_SERVICES" | "OTHER_SERVICES" | "PUBLIC_ADMINISTRATION" | "erased";
            /** @enum {string} */
            purposeOfAccount?: "CONTRACTOR_PAYOUTS" | "CREATOR_PAYOUTS" | "EMPLOYEE_PAYOUTS" | "MARKETPLACE_SELLER_PAYOUTS" | "SUPPLIER_PAYMENTS" | "CROSS_BORDER_B2B" | "AR_AUTOMATION" | "AP_AUTOMATION" | "EMBEDDED_PAYMENTS" | "PLATFORM_FEE_COLLECTION" | "P2P_TRANSFERS" | "CHARITABLE_DONATIONS" | "OTHER" | "erased";
            purposeOfAccountOtherDescription?: string;
            sourceOfFunds?: string;
            sourceOfFundsCategories?: ("OPERATING_REVENUE" | "INVESTMENT_INCOME" | "LOANS" | "VENTURE_CAPITAL" | "PERSONAL_SAVINGS" | "DONATIONS" | "OTHER" | "erased")[];
            sourceOfFundsOtherDescription?: string;
            /** @enum {string} */
            expectedMonthlyTransactionCount?: "COUNT_UNDER_10" | "COUNT_10_TO_100" | "COUNT_100_TO_500" | "COUNT_500_TO_1000" | "COUNT_OVER_1000" | "erased";
            /** @enum {string} */
            expectedMonthlyTransactionVolume?: "VOLUME_UNDER_10K" | "VOLUME_10K_TO_100K" | "VOLUME_100K_TO_1M" | "VOLUME_1M_TO_10M" | "VOLUME_OVER_10M" | "erased";
            naicsCode?: string;
            primaryContactFirstName?: string;
            primaryContactLastName?: string;
        };
        BeneficialOwner: {
            id: string;
            customerId: string;
            roles: components["schemas"]["BeneficialOwnerRole"][];
            ownershipPercentage: number;
            personalInfo: components["schemas"]["PersonalInfoOnFile"];
            kycStatus: components["schemas"]["KycStatus"];
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
        };
        /** @description As it was given. Of an erased customer each text says `erased`. */
        PersonalInfoOnFile: {
            firstName: string;
            middleName?: string;
            lastName: string;
            /** @description ISO 8601 date. */
            birthDate: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            nationality: string;
            address: components["schemas"]["AddressOnFile"];
            /** @enum {string} */
            idType: "SSN" | "ITIN" | "EIN" | "NON_US_TAX_ID" | "erased";
            identifier: string;
            email?: string;
            phoneNumber?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            countryOfIssuance?: string;
        };
        /** @description Sign payloadToSign as the text that it is, and send the same request again. */
        SignatureChallenge: {
            payloadToSign: string;
            requestId: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            expiresAt: string;
            type?: components["schemas"]["AuthMethodType"];
        };
        CustomerErasure: {
            customerId: string;
            /** @enum {string} */
            status: "UNDER_WAY" | "ERASED";
            /**
             * Format: date-time
             * @description When everything was done.
             */
            erasedAt?: string;
            /** @description Events of the customer from before personal data were sealed. The log goes on having what they say; nothing else shows it. */
            unsealedEvents?: number;
        };
        BeneficialOwnerPage: {
            data: components["schemas"]["BeneficialOwner"][];
            hasMore: boolean;
            nextCursor?: string;
            totalCount: number;
        };
        DocumentPage: {
            data: components["schemas"]["Document"][];
            hasMore: boolean;
            nextCursor?: string;
            totalCount: number;
        };
        Document: {
            id: string;
            /** @description A Customer or a BeneficialOwner. */
            documentHolder: string;
            documentType: components["schemas"]["DocumentType"];
            country: string;
            fileName: string;
            side?: components["schemas"]["DocumentSide"];
            documentNumber?: string;
            issuingAuthority?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
        };
        Verification: {
            id: string;
            customerId: string;
            verificationStatus: components["schemas"]["VerificationStatus"];
            errors: components["schemas"]["VerificationError"][];
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
        };
        VerificationError: {
            resourceId: string;
            /** @enum {string} */
            type: "MISSING_FIELD" | "INVALID_FIELD" | "MISSING_LEGAL_PRESENCE_DOCUMENT" | "MISSING_CONTROL_STRUCTURE_DOCUMENT" | "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT" | "MISSING_PROOF_OF_ADDRESS_DOCUMENT" | "MISSING_IDENTITY_DOCUMENT" | "INVALID_DOCUMENT" | "EXPIRED_DOCUMENT" | "POOR_QUALITY_DOCUMENT" | "SUSPECTED_FRAUD_DOCUMENT" | "WRONG_DOCUMENT_TYPE" | "INCOMPLETE_DOCUMENT" | "UNREADABLE_DOCUMENT" | "DOCUMENT_VERIFICATION_FAILED" | "APPLICANT_SANCTIONED" | "APPLICANT_FRAUD" | "APPLICANT_CRIMINAL_RECORD" | "APPLICANT_REJECTED" | "MISSING_BENEFICIAL_OWNER";
            reason: string;
            field?: string;
            acceptedDocumentTypes?: string[];
        };
        VerificationPage: {
            data: components["schemas"]["Verification"][];
            hasMore: boolean;
            nextCursor?: string;
            totalCount: number;
        };
        InternalAccountPage: {
            data: components["schemas"]["InternalAccount"][];
            hasMore: boolean;
            nextCursor?: string;
            totalCount: number;
            /** @description An extension: the position of the log up to which the figures hold. What was recorded after it is not in them. */
            asOf: string;
        };
        InternalAccount: {
            id: string;
            /** @description Absent for the platform's own account. */
            customerId?: string;
            type: components["schemas"]["InternalAccountType"];
            /** @enum {string} */
            status: "PENDING" | "ACTIVE" | "CLOSED" | "FROZEN";
            /** @description What can be spent. */
            balance: components["schemas"]["CurrencyAmount"];
            /** @description The `balance`, and what has arrived for the account and is held: while it is FROZEN, or has no room. At most what an int64 holds. */
            totalBalance: components["schemas"]["CurrencyAmount"];
            /** @description Where to pay in, while the account is ACTIVE: outside the sandbox no cryptocurrency. */
            fundingPaymentInstructions: components["schemas"]["PaymentInstruction"][];
            privateEnabled?: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
        };
        Currency: {
            code: string;
            name: string;
            symbol: string;
            decimals: number;
        };
        CurrencyAmount: {
            /** Format: int64 */
            amount: number;
            currency: components["schemas"]["Currency"];
        };
        PaymentInstruction: {
            accountOrWalletInfo: components["schemas"]["AccountOrWalletInfo"];
            instructionsNotes?: string;
            isPlatformAccount?: boolean;
        };
        AccountOrWalletInfo: components["schemas"]["ArsAccountPaymentInfo"] | components["schemas"]["BitcoinL1PaymentInfo"] | components["schemas"]["EmbeddedWalletPaymentInfo"] | components["schemas"]["UsdAccountPaymentInfo"] | components["schemas"]["AedAccountPaymentInfo"] | components["schemas"]["EurAccountPaymentInfo"] | components["schemas"]["DkkAccountPaymentInfo"] | components["schemas"]["GbpAccountPaymentInfo"] | components["schemas"]["MxnAccountPaymentInfo"] | components["schemas"]["BrlAccountPaymentInfo"] | components["schemas"]["CopAccountPaymentInfo"] | components["schemas"]["InrAccountPaymentInfo"] | components["schemas"]["NgnAccountPaymentInfo"] | components["schemas"]["CadAccountPaymentInfo"] | components["schemas"]["PhpAccountPaymentInfo"] | components["schemas"]["SgdAccountPaymentInfo"] | components["schemas"]["HkdAccountPaymentInfo"] | components["schemas"]["MyrAccountPaymentInfo"] | components["schemas"]["ThbAccountPaymentInfo"] | components["schemas"]["VndAccountPaymentInfo"] | components["schemas"]["IdrAccountPaymentInfo"] | components["schemas"]["ZarAccountPaymentInfo"] | components["schemas"]["KesAccountPaymentInfo"] | components["schemas"]["RwfAccountPaymentInfo"] | components["schemas"]["TzsAccountPaymentInfo"] | components["schemas"]["ZmwAccountPaymentInfo"] | components["schemas"]["MwkAccountPaymentInfo"] | components["schemas"]["UgxAccountPaymentInfo"] | components["schemas"]["BwpAccountPaymentInfo"] | components["schemas"]["XofAccountPaymentInfo"] | components["schemas"]["XafAccountPaymentInfo"] | components["schemas"]["BdtAccountPaymentInfo"] | components["schemas"]["EgpAccountPaymentInfo"] | components["schemas"]["GhsAccountPaymentInfo"] | components["schemas"]["CnyAccountPaymentInfo"] | components["schemas"]["PkrAccountPaymentInfo"] | components["schemas"]["GtqAccountPaymentInfo"] | components["schemas"]["JmdAccountPaymentInfo"] | components["schemas"]["HtgAccountPaymentInfo"] | components["schemas"]["SlvAccountPaymentInfo"] | components["schemas"]["SwiftAccountPaymentInfo"] | components["schemas"]["SparkWalletPaymentInfo"] | components["schemas"]["SolanaWalletPaymentInfo"] | components["schemas"]["EthereumWalletPaymentInfo"] | components["schemas"]["BaseWalletPaymentInfo"] | components["schemas"]["PolygonWalletPaymentInfo"] | components["schemas"]["TronWalletPaymentInfo"] | components["schemas"]["PlasmaWalletPaymentInfo"] | components["schemas"]["LightningPaymentInfo"];
        ArsAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "ARS_ACCOUNT";
            /** @example 1000123456789012345678 */
            accountNumber: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        BitcoinL1PaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "BITCOIN_L1";
            address: string;
            /** @constant */
            network?: "BITCOIN";
        };
        EmbeddedWalletPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "EMBEDDED_WALLET";
            payloadToSign: string;
        };
        UsdAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "USD_ACCOUNT";
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example 100012341 */
            routingNumber: string;
            /** @example Daybook Partner Bank */
            bankName?: string;
            bankAddress?: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        AedAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "AED_ACCOUNT";
            /** @example AE070331234567890123456 */
            iban: string;
            /** @example DAYBUS33XXX */
            swiftCode?: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        EurAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "EUR_ACCOUNT";
            /** @example DE89370400440532013000 */
            iban: string;
            /** @example DAYBUS33XXX */
            swiftCode?: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        DkkAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "DKK_ACCOUNT";
            /** @example DK5000400440116243 */
            iban: string;
            /** @example DAYBUS33XXX */
            swiftCode?: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        GbpAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "GBP_ACCOUNT";
            /** @example 100012 */
            sortCode: string;
            /** @example 10001234 */
            accountNumber: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        MxnAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "MXN_ACCOUNT";
            /** @example 100012345678901234 */
            clabeNumber: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        BrlAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "BRL_ACCOUNT";
            qrCode: string;
        };
        CopAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "COP_ACCOUNT";
            /** Format: uri */
            paymentUrl: string;
        };
        InrAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "INR_ACCOUNT";
            /** @example daybook.1000123456789@daybank */
            vpa?: string;
            /** @example 100012345678901234 */
            accountNumber?: string;
            /** @example DAYB0000033 */
            ifsc?: string;
            /** @example Daybook Partner Bank */
            bankName?: string;
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        NgnAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "NGN_ACCOUNT";
            /** @example 1000123456 */
            accountNumber: string;
            /** @example Daybook Partner Bank */
            bankName: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        CadAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "CAD_ACCOUNT";
            /** @example 100 */
            bankCode: string;
            /** @example 10001 */
            branchCode: string;
            /** @example 100012345678 */
            accountNumber: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        PhpAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "PHP_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789012 */
            accountNumber: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        SgdAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "SGD_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName?: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        HkdAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "HKD_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        MyrAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "MYR_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        ThbAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "THB_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        VndAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "VND_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        IdrAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "IDR_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            /** @example +6281234567890 */
            phoneNumber: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        ZarAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "ZAR_ACCOUNT";
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example Daybook Partner Bank */
            bankName: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        KesAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "KES_ACCOUNT";
            /** @example +254712345678 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        RwfAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "RWF_ACCOUNT";
            /** @example +250788123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        TzsAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "TZS_ACCOUNT";
            /** @example +255712345678 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        ZmwAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "ZMW_ACCOUNT";
            /** @example +260971234567 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        MwkAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "MWK_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        UgxAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "UGX_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        BwpAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "BWP_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        XofAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "XOF_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            /**
             * @example BJ
             * @enum {string}
             */
            region: "BJ" | "CI" | "SN" | "TG";
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        XafAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "XAF_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            /**
             * @example CM
             * @enum {string}
             */
            region: "CM" | "CG";
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        BdtAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "BDT_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            /** @example 10001 */
            branchCode?: string;
            /** @example DAYBUS33XXX */
            swiftCode?: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        EgpAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "EGP_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example EG380019000500000000263180002 */
            iban?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        GhsAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "GHS_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        CnyAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "CNY_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        PkrAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "PKR_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            /** @example PK18DAYB0000001123456702 */
            iban?: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        GtqAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "GTQ_ACCOUNT";
            /** @example 1000123456789 */
            accountNumber: string;
            /**
             * @example CHECKING
             * @enum {string}
             */
            bankAccountType: "CHECKING" | "SAVINGS";
            /** @example Daybook Partner Bank */
            bankName: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        JmdAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "JMD_ACCOUNT";
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example 10001 */
            branchCode: string;
            /**
             * @example CHECKING
             * @enum {string}
             */
            bankAccountType: "CHECKING" | "SAVINGS";
            /** @example Daybook Partner Bank */
            bankName: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        HtgAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "HTG_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        SlvAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "SLV_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName?: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            /**
             * @example CHECKING
             * @enum {string}
             */
            bankAccountType?: "CHECKING" | "SAVINGS";
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference: string;
        };
        SwiftAccountPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "SWIFT_ACCOUNT";
            /** @example US */
            country: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example DE89370400440532013000 */
            iban?: string;
            accountHolderName: string;
            bankAddress?: string;
            paymentRails: components["schemas"]["PaymentRail"][];
            /** @description Names the account that the payment is for; no other account has it. */
            reference?: string;
        };
        SparkWalletPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "SPARK_WALLET";
            address: string;
            /** @enum {string} */
            assetType: "BTC" | "USDB";
            invoice?: string;
        };
        SolanaWalletPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "SOLANA_WALLET";
            address: string;
            /** @enum {string} */
            assetType?: "USDC" | "USDT";
        };
        EthereumWalletPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "ETHEREUM_WALLET";
            address: string;
            /** @enum {string} */
            assetType?: "USDC" | "USDT";
        };
        BaseWalletPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "BASE_WALLET";
            address: string;
            /** @enum {string} */
            assetType?: "USDC";
        };
        PolygonWalletPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "POLYGON_WALLET";
            address: string;
            /** @enum {string} */
            assetType?: "USDC";
        };
        TronWalletPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "TRON_WALLET";
            address: string;
            /** @enum {string} */
            assetType?: "USDT";
        };
        PlasmaWalletPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "PLASMA_WALLET";
            address: string;
            /** @enum {string} */
            assetType?: "USDT";
        };
        LightningPaymentInfo: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "LIGHTNING";
            invoice: string;
        };
        InternalAccountList: {
            data: components["schemas"]["InternalAccount"][];
            /** @description An extension: the position of the log up to which the figures hold. What was recorded after it is not in them. */
            asOf: string;
        };
        TrialBalanceList: {
            data: components["schemas"]["TrialBalance"][];
            /** @description An extension: the position of the log up to which the figures hold. What was recorded after it is not in them. */
            asOf: string;
        };
        TrialBalance: {
            currency: components["schemas"]["Currency"];
            /** @description What all internal accounts hold together. */
            internal: number;
            /** @description The outside world: what was paid out less what came in. */
            rail: number;
            /** @description Debited and not yet paid out or given back. */
            inFlight: number;
            fees: number;
            /** @description What exchange has taken in less what it has given out. */
            fx: number;
            /** @description The sum of the others: zero when the books balance. */
            total: number;
        };
        ExternalAccountPage: {
            data: components["schemas"]["ExternalAccount"][];
            hasMore: boolean;
            nextCursor?: string;
            totalCount: number;
        };
        ExternalAccount: {
            id: string;
            /** @description Null when the account belongs to the platform. */
            customerId: string | null;
            platformAccountId?: string;
            /** @enum {string} */
            status: "PENDING" | "ACTIVE" | "UNDER_REVIEW" | "INACTIVE";
            currency: string;
            accountInfo: components["schemas"]["AccountInfoWithRails"];
            /** @enum {string} */
            ownershipType?: "FIRST_PARTY" | "THIRD_PARTY";
            defaultUmaDepositAccount: boolean;
            /** @enum {string} */
            beneficiaryVerificationStatus?: "MATCHED" | "PARTIAL_MATCH" | "NOT_MATCHED" | "UNSUPPORTED" | "CHECKED_BY_RECEIVING_FI" | "PENDING";
            beneficiaryVerifiedData?: {
                fullName: string;
            };
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
        };
        /** @description As it was given. Of an erased customer each text says `erased`. */
        AccountInfoWithRails: components["schemas"]["UsdAccountInfoWithRails"] | components["schemas"]["AedAccountInfoWithRails"] | components["schemas"]["EurAccountInfoWithRails"] | components["schemas"]["DkkAccountInfoWithRails"] | components["schemas"]["GbpAccountInfoWithRails"] | components["schemas"]["MxnAccountInfoWithRails"] | components["schemas"]["BrlAccountInfoWithRails"] | components["schemas"]["CopAccountInfoWithRails"] | components["schemas"]["InrAccountInfoWithRails"] | components["schemas"]["NgnAccountInfoWithRails"] | components["schemas"]["CadAccountInfoWithRails"] | components["schemas"]["PhpAccountInfoWithRails"] | components["schemas"]["SgdAccountInfoWithRails"] | components["schemas"]["HkdAccountInfoWithRails"] | components["schemas"]["MyrAccountInfoWithRails"] | components["schemas"]["ThbAccountInfoWithRails"] | components["schemas"]["VndAccountInfoWithRails"] | components["schemas"]["IdrAccountInfoWithRails"] | components["schemas"]["ZarAccountInfoWithRails"] | components["schemas"]["KesAccountInfoWithRails"] | components["schemas"]["RwfAccountInfoWithRails"] | components["schemas"]["TzsAccountInfoWithRails"] | components["schemas"]["ZmwAccountInfoWithRails"] | components["schemas"]["MwkAccountInfoWithRails"] | components["schemas"]["UgxAccountInfoWithRails"] | components["schemas"]["BwpAccountInfoWithRails"] | components["schemas"]["XofAccountInfoWithRails"] | components["schemas"]["XafAccountInfoWithRails"] | components["schemas"]["BdtAccountInfoWithRails"] | components["schemas"]["EgpAccountInfoWithRails"] | components["schemas"]["GhsAccountInfoWithRails"] | components["schemas"]["CnyAccountInfoWithRails"] | components["schemas"]["PkrAccountInfoWithRails"] | components["schemas"]["GtqAccountInfoWithRails"] | components["schemas"]["JmdAccountInfoWithRails"] | components["schemas"]["HtgAccountInfoWithRails"] | components["schemas"]["SlvAccountInfoWithRails"] | components["schemas"]["SwiftAccountInfoWithRails"] | components["schemas"]["SparkWalletInfoWithRails"] | components["schemas"]["SolanaWalletInfoWithRails"] | components["schemas"]["EthereumWalletInfoWithRails"] | components["schemas"]["BaseWalletInfoWithRails"] | components["schemas"]["PolygonWalletInfoWithRails"] | components["schemas"]["TronWalletInfoWithRails"] | components["schemas"]["PlasmaWalletInfoWithRails"] | components["schemas"]["LightningInfoWithRails"];
        UsdAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "USD_ACCOUNT";
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example 100012341 */
            routingNumber: string;
            /** @example Daybook Partner Bank */
            bankName?: string;
            /**
             * @description CHECKING when absent.
             * @example CHECKING
             * @enum {string}
             */
            bankAccountType?: "CHECKING" | "SAVINGS" | "erased";
            /** @example Daybook Partner Bank */
            intermediaryBankName?: string;
            /** @example 100012341 */
            intermediaryRoutingNumber?: string;
            fiToFiInformation?: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        /** @description As it was given. Of an erased customer each text says `erased`. */
        BeneficiaryOnFile: components["schemas"]["IndividualBeneficiaryOnFile"] | components["schemas"]["BusinessBeneficiaryOnFile"];
        /** @description As it was given. Of an erased customer each text says `erased`. */
        IndividualBeneficiaryOnFile: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            beneficiaryType: "INDIVIDUAL";
            fullName: string;
            /** @description ISO 8601 date. */
            birthDate?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            nationality?: string;
            email?: string;
            phoneNumber?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            countryOfResidence?: string;
            address?: components["schemas"]["AddressOnFile"];
            registrationNumber?: string;
            /**
             * @description COP accounts only.
             * @enum {string}
             */
            documentType?: "CC" | "CE" | "TI" | "NIT" | "PP" | "erased";
            /** @description COP accounts only. */
            documentNumber?: string;
        };
        /** @description As it was given. Of an erased customer each text says `erased`. */
        BusinessBeneficiaryOnFile: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            beneficiaryType: "BUSINESS";
            legalName: string;
            taxId?: string;
            email?: string;
            phoneNumber?: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example US
             */
            countryOfResidence?: string;
            address?: components["schemas"]["AddressOnFile"];
            registrationNumber?: string;
            /**
             * @description COP accounts only.
             * @enum {string}
             */
            documentType?: "CC" | "CE" | "TI" | "NIT" | "PP" | "erased";
            /** @description COP accounts only. */
            documentNumber?: string;
        };
        AedAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "AED_ACCOUNT";
            /** @example AE070331234567890123456 */
            iban: string;
            /** @example DAYBUS33XXX */
            swiftCode?: string;
            beneficiary?: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        EurAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "EUR_ACCOUNT";
            /** @example DE89370400440532013000 */
            iban: string;
            /** @example DAYBUS33XXX */
            swiftCode?: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        DkkAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "DKK_ACCOUNT";
            /** @example DK5000400440116243 */
            iban: string;
            /** @example DAYBUS33XXX */
            swiftCode?: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        GbpAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "GBP_ACCOUNT";
            /** @example 100012 */
            sortCode: string;
            /** @example 10001234 */
            accountNumber: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        MxnAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "MXN_ACCOUNT";
            /** @example 100012345678901234 */
            clabeNumber: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        BrlAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "BRL_ACCOUNT";
            pixKey: string;
            /** @enum {string} */
            pixKeyType: "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "RANDOM" | "erased";
            /** @example 10001234567890 */
            taxId: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        CopAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "COP_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            /**
             * @example CHECKING
             * @enum {string}
             */
            bankAccountType?: "CHECKING" | "SAVINGS" | "erased";
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        InrAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "INR_ACCOUNT";
            /** @example daybook.1000123456789@daybank */
            vpa?: string;
            /** @example 100012345678901234 */
            accountNumber?: string;
            /** @example DAYB0000033 */
            ifsc?: string;
            rail?: string;
            /** @example Daybook Partner Bank */
            bankName?: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        NgnAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "NGN_ACCOUNT";
            /** @example 1000123456 */
            accountNumber: string;
            /** @example Daybook Partner Bank */
            bankName: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        CadAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "CAD_ACCOUNT";
            /** @example 100 */
            bankCode: string;
            /** @example 10001 */
            branchCode: string;
            /** @example 100012345678 */
            accountNumber: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        PhpAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "PHP_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789012 */
            accountNumber: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        SgdAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "SGD_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName?: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        HkdAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "HKD_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        MyrAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "MYR_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        ThbAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "THB_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        VndAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "VND_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        IdrAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "IDR_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            /** @example +6281234567890 */
            phoneNumber: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        ZarAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "ZAR_ACCOUNT";
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example Daybook Partner Bank */
            bankName: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        KesAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "KES_ACCOUNT";
            /** @example +254712345678 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        RwfAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "RWF_ACCOUNT";
            /** @example +250788123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        TzsAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "TZS_ACCOUNT";
            /** @example +255712345678 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        ZmwAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "ZMW_ACCOUNT";
            /** @example +260971234567 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        MwkAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "MWK_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        UgxAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "UGX_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        BwpAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "BWP_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        XofAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "XOF_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            /**
             * @example BJ
             * @enum {string}
             */
            region: "BJ" | "CI" | "SN" | "TG" | "erased";
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        XafAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "XAF_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            /** @example Mobile Money */
            provider: string;
            /**
             * @example CM
             * @enum {string}
             */
            region: "CM" | "CG" | "erased";
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        BdtAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "BDT_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            /** @example 10001 */
            branchCode?: string;
            /** @example DAYBUS33XXX */
            swiftCode?: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        EgpAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "EGP_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example EG380019000500000000263180002 */
            iban?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        GhsAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "GHS_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        CnyAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "CNY_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        PkrAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "PKR_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            /** @example PK18DAYB0000001123456702 */
            iban?: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        GtqAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "GTQ_ACCOUNT";
            /** @example 1000123456789 */
            accountNumber: string;
            /**
             * @example CHECKING
             * @enum {string}
             */
            bankAccountType: "CHECKING" | "SAVINGS" | "erased";
            /** @example Daybook Partner Bank */
            bankName: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        JmdAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "JMD_ACCOUNT";
            /** @example 1000123456789 */
            accountNumber: string;
            /** @example 10001 */
            branchCode: string;
            /**
             * @example CHECKING
             * @enum {string}
             */
            bankAccountType: "CHECKING" | "SAVINGS" | "erased";
            /** @example Daybook Partner Bank */
            bankName: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        HtgAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "HTG_ACCOUNT";
            /** @example +15550123456 */
            phoneNumber: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        SlvAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "SLV_ACCOUNT";
            /** @example Daybook Partner Bank */
            bankName?: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example +15550123456 */
            phoneNumber?: string;
            /**
             * @example CHECKING
             * @enum {string}
             */
            bankAccountType?: "CHECKING" | "SAVINGS" | "erased";
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        SwiftAccountInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "SWIFT_ACCOUNT";
            /** @example US */
            country: string;
            /** @example DAYBUS33XXX */
            swiftCode: string;
            /** @example Daybook Partner Bank */
            bankName: string;
            /** @example 1000123456789 */
            accountNumber?: string;
            /** @example DE89370400440532013000 */
            iban?: string;
            beneficiary: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        SparkWalletInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "SPARK_WALLET";
            address: string;
            vaspName?: string;
            beneficiary?: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        SolanaWalletInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "SOLANA_WALLET";
            address: string;
            vaspName?: string;
            beneficiary?: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        EthereumWalletInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "ETHEREUM_WALLET";
            address: string;
            vaspName?: string;
            beneficiary?: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        BaseWalletInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "BASE_WALLET";
            address: string;
            vaspName?: string;
            beneficiary?: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        PolygonWalletInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "POLYGON_WALLET";
            address: string;
            vaspName?: string;
            beneficiary?: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        TronWalletInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "TRON_WALLET";
            address: string;
            vaspName?: string;
            beneficiary?: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        PlasmaWalletInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "PLASMA_WALLET";
            address: string;
            vaspName?: string;
            beneficiary?: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        LightningInfoWithRails: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            accountType: "LIGHTNING";
            invoice?: string;
            bolt12?: string;
            lightningAddress?: string;
            beneficiary?: components["schemas"]["BeneficiaryOnFile"];
            paymentRails: components["schemas"]["PaymentRail"][];
        };
        Transaction: {
            id: string;
            status: components["schemas"]["TransactionStatus"];
            type: components["schemas"]["TransactionType"];
            /** @enum {string} */
            direction: "CREDIT" | "DEBIT";
            source: components["schemas"]["TransactionSource"];
            destination: components["schemas"]["TransactionDestination"];
            /** @description Who pays, or is paid where the payment is incoming. Null for the platform's own payments. */
            customerId: string | null;
            platformCustomerId: string | null;
            sentAmount?: components["schemas"]["CurrencyAmount"];
            receivedAmount: components["schemas"]["CurrencyAmount"];
            /**
             * Format: int64
             * @description In the currency that is sent, a part of what is sent.
             */
            fees: number;
            /** @description Sending units per receiving unit, in major units, after fees. */
            exchangeRate?: number;
            rateDetails?: components["schemas"]["TransactionRateDetails"];
            quoteId?: string;
            /** @description Where an agent initiated the payment. */
            agentId?: string;
            description?: string;
            /** @description While a quote with REALTIME_FUNDING waits for its payer: how to pay it. */
            paymentInstructions?: components["schemas"]["PaymentInstruction"][];
            /** @description Of the bank account at the outside end. */
            paymentRail?: components["schemas"]["PaymentRail"];
            counterpartyInformation?: {
                [key: string]: string;
            };
            reconciliationInstructions: {
                reference: string;
            };
            /**
             * @description What holds a payment up: the account that it goes to is frozen.
             * @enum {string}
             */
            pendingReason?: "COMPLIANCE_REVIEW";
            /** @enum {string} */
            failureReason?: "LNURLP_FAILED" | "PAY_REQUEST_FAILED" | "PAYMENT_APPROVAL_WEBHOOK_ERROR" | "PAYMENT_APPROVAL_TIMED_OUT" | "OFFRAMP_FAILED" | "MISSING_MANDATORY_PAYEE_DATA" | "QUOTE_EXPIRED" | "QUOTE_EXECUTION_FAILED";
            refund?: components["schemas"]["Refund"];
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            settledAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            receiptDeliveryConfirmedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
        };
        TransactionSource: components["schemas"]["TransactionAccountSource"] | components["schemas"]["TransactionAddressSource"] | components["schemas"]["TransactionFundingSource"];
        TransactionAccountSource: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            sourceType: "ACCOUNT";
            accountId: string;
            currency: string;
        };
        TransactionAddressSource: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            sourceType: "UMA_ADDRESS";
            umaAddress: string;
            currency: string;
        };
        TransactionFundingSource: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            sourceType: "REALTIME_FUNDING";
            currency: string;
            customerId?: string;
            accountHolderName?: string;
            accountIdentifier?: string;
            bankName?: string;
            bankIdentifier?: string;
            paymentRail?: string;
            remittanceInformation?: string;
            endToEndId?: string;
            traceNumber?: string;
        };
        TransactionDestination: components["schemas"]["TransactionAccountDestination"] | components["schemas"]["TransactionAddressDestination"];
        TransactionAccountDestination: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            destinationType: "ACCOUNT";
            accountId: string;
            currency: string;
        };
        TransactionAddressDestination: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            destinationType: "UMA_ADDRESS";
            umaAddress: string;
            currency: string;
        };
        TransactionRateDetails: {
            serviceApiMultiplier: number;
            /** Format: int64 */
            serviceApiFixedFee: number;
            serviceApiVariableFeeRate: number;
            /** Format: int64 */
            serviceApiVariableFeeAmount: number;
        };
        Refund: {
            reference: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            initiatedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            settledAt?: string;
            /** @enum {string} */
            status: "PENDING" | "COMPLETED" | "FAILED";
            /** @enum {string} */
            reason: "TRANSACTION_FAILED" | "USER_CANCELLATION" | "TIMEOUT";
        };
        AddressLookup: {
            receiverUmaAddress: string;
            lookupId: string;
            supportedCurrencies: {
                currency: components["schemas"]["Currency"];
                /** @description Receiving units per sending unit: the other way round from a quote's exchangeRate. */
                estimatedExchangeRate: number;
                /**
                 * Format: int64
                 * @description What a quote of the sender may lock on the receiving side.
                 */
                min: number;
                /**
                 * Format: int64
                 * @description What a quote of the sender may lock on the receiving side.
                 */
                max: number;
            }[];
            requiredPayerDataFields: {
                /** @enum {string} */
                name: "FULL_NAME" | "BIRTH_DATE" | "NATIONALITY" | "PHONE_NUMBER" | "EMAIL" | "POSTAL_ADDRESS" | "TAX_ID" | "REGISTRATION_NUMBER" | "USER_TYPE" | "COUNTRY_OF_RESIDENCE" | "ACCOUNT_IDENTIFIER" | "FI_LEGAL_ENTITY_NAME" | "FI_ADDRESS" | "PURPOSE_OF_PAYMENT" | "ULTIMATE_INSTITUTION_COUNTRY" | "IDENTIFIER" | "BUSINESS_TYPE" | "COMPANY_LEGAL_NAME" | "ID_TYPE" | "ID_NUMBER";
                mandatory: boolean;
            }[];
        };
        AccountLookup: {
            accountId: string;
            lookupId: string;
            supportedCurrencies: {
                currency: components["schemas"]["Currency"];
                /** @description Receiving units per sending unit: the other way round from a quote's exchangeRate. */
                estimatedExchangeRate: number;
                /**
                 * Format: int64
                 * @description What a quote of the sender may lock on the receiving side.
                 */
                min: number;
                /**
                 * Format: int64
                 * @description What a quote of the sender may lock on the receiving side.
                 */
                max: number;
            }[];
            requiredPayerDataFields: {
                /** @enum {string} */
                name: "FULL_NAME" | "BIRTH_DATE" | "NATIONALITY" | "PHONE_NUMBER" | "EMAIL" | "POSTAL_ADDRESS" | "TAX_ID" | "REGISTRATION_NUMBER" | "USER_TYPE" | "COUNTRY_OF_RESIDENCE" | "ACCOUNT_IDENTIFIER" | "FI_LEGAL_ENTITY_NAME" | "FI_ADDRESS" | "PURPOSE_OF_PAYMENT" | "ULTIMATE_INSTITUTION_COUNTRY" | "IDENTIFIER" | "BUSINESS_TYPE" | "COMPANY_LEGAL_NAME" | "ID_TYPE" | "ID_NUMBER";
                mandatory: boolean;
            }[];
        };
        Quote: {
            id: string;
            /** @enum {string} */
            status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "EXPIRED";
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            expiresAt: string;
            source: components["schemas"]["QuoteSource"];
            destination: components["schemas"]["QuoteDestination"];
            sendingCurrency: components["schemas"]["Currency"];
            receivingCurrency: components["schemas"]["Currency"];
            /**
             * Format: int64
             * @description In sendingCurrency, with the fees.
             */
            totalSendingAmount: number;
            /**
             * Format: int64
             * @description In receivingCurrency.
             */
            totalReceivingAmount: number;
            /** @description Sending units per receiving unit, in major units, after fees. */
            exchangeRate: number;
            /**
             * Format: int64
             * @description In sendingCurrency, a part of totalSendingAmount.
             */
            feesIncluded: number;
            transactionId: string;
            paymentInstructions?: components["schemas"]["PaymentInstruction"][];
            counterpartyInformation?: {
                [key: string]: string;
            };
            rateDetails: components["schemas"]["RateDetails"];
        };
        QuoteSource: components["schemas"]["QuoteAccountSource"] | components["schemas"]["QuoteFundingSource"];
        QuoteAccountSource: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            sourceType: "ACCOUNT";
            accountId: string;
            customerId?: string;
        };
        QuoteFundingSource: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            sourceType: "REALTIME_FUNDING";
            currency: string;
            customerId?: string;
            cryptoNetwork?: components["schemas"]["CryptoNetwork"];
        };
        QuoteDestination: components["schemas"]["QuoteAccountDestination"] | components["schemas"]["QuoteAddressDestination"];
        QuoteAccountDestination: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            destinationType: "ACCOUNT";
            accountId: string;
            paymentRail?: components["schemas"]["PaymentRail"];
        };
        QuoteAddressDestination: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            destinationType: "UMA_ADDRESS";
            umaAddress: string;
            currency: string;
        };
        RateDetails: {
            counterpartyMultiplier: number;
            /** Format: int64 */
            counterpartyFixedFee: number;
            serviceApiMultiplier: number;
            /** Format: int64 */
            serviceApiFixedFee: number;
            serviceApiVariableFeeRate: number;
            /** Format: int64 */
            serviceApiVariableFeeAmount: number;
        };
        TransactionPage: {
            data: components["schemas"]["Transaction"][];
            hasMore: boolean;
            nextCursor?: string;
            totalCount: number;
        };
        Invitation: {
            code: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            url: string;
            inviterUma: string;
            /** @enum {string} */
            status: "PENDING" | "CLAIMED" | "EXPIRED" | "CANCELLED";
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            claimedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            expiresAt?: string;
            inviteeUma?: string;
            firstName?: string;
            amountToSend?: components["schemas"]["CurrencyAmount"];
        };
        AuthMethodList: {
            data: components["schemas"]["AuthMethod"][];
        };
        AuthMethod: {
            id: string;
            accountId: string;
            type: components["schemas"]["AuthMethodType"];
            nickname: string;
            /** @description Of a PASSKEY: base64url, for allowCredentials. */
            credentialId?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
        };
        AuthChallenge: components["schemas"]["PasskeyChallenge"] | components["schemas"]["AuthMethod"];
        PasskeyChallenge: {
            id: string;
            accountId: string;
            type: components["schemas"]["AuthMethodType"];
            nickname: string;
            /** @description Of a PASSKEY: base64url, for allowCredentials. */
            credentialId?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
            challenge: string;
            requestId: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            expiresAt: string;
        };
        IssuedAuthSession: {
            id: string;
            accountId: string;
            type: components["schemas"]["AuthMethodType"];
            nickname: string;
            /** @description Of a PASSKEY: base64url, for allowCredentials. */
            credentialId?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            expiresAt: string;
            /** @description The private key of the session, sealed to clientPublicKey. Answered once. */
            encryptedSessionSigningKey: string;
        };
        AuthSessionList: {
            data: components["schemas"]["AuthSession"][];
        };
        AuthSession: {
            id: string;
            accountId: string;
            type: components["schemas"]["AuthMethodType"];
            nickname: string;
            /** @description Of a PASSKEY: base64url, for allowCredentials. */
            credentialId?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            expiresAt: string;
        };
        WalletExport: {
            id: string;
            encryptedWalletCredentials: string;
        };
        ApiTokenPage: {
            data: components["schemas"]["ApiToken"][];
            hasMore: boolean;
            nextCursor?: string;
            totalCount: number;
        };
        ApiToken: {
            id: string;
            name: string;
            permissions: components["schemas"]["ApiPermission"][];
            clientId: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
        };
        CreatedApiToken: {
            id: string;
            name: string;
            permissions: components["schemas"]["ApiPermission"][];
            clientId: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
            /** @description Shown here and never again; the service keeps a hash. */
            clientSecret: string;
        };
        AgentPage: {
            data: components["schemas"]["Agent"][];
            hasMore: boolean;
            nextCursor?: string;
            totalCount: number;
        };
        Agent: {
            id: string;
            name: string;
            customerId: string;
            isPaused: boolean;
            isConnected: boolean;
            policy: components["schemas"]["AgentPolicy"];
            usage: components["schemas"]["AgentUsage"];
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
        };
        AgentPolicy: {
            permissions: components["schemas"]["AgentPermission"][];
            defaultExecutionMode: components["schemas"]["ExecutionMode"];
            spendingLimits: {
                currency: string;
                /** Format: int64 */
                perTransactionLimit: number;
                dailyLimit: number | null;
                dailyTransactionLimit?: number;
                monthlyLimit: number | null;
            };
            accountRestrictions?: {
                allowedAccountIds: string[] | null;
                accountRules?: {
                    accountId: string;
                    executionMode?: components["schemas"]["ExecutionMode"];
                    perTransactionLimit: number | null;
                }[];
            };
            approvalThresholds?: {
                currency: string;
                amount: number | null;
            };
        };
        AgentUsage: {
            dailyTransactionCount: number;
            /** @description In the currency of the spending limits. */
            dailySpend: number;
            monthlySpend: number;
            /**
             * Format: date
             * @description The UTC day on which the daily counters start anew.
             */
            dailyResetDate: string;
            monthlyResetMonth: string;
        };
        CreatedAgent: {
            agent: components["schemas"]["Agent"];
            deviceCode: components["schemas"]["DeviceCode"];
        };
        DeviceCode: {
            code: string;
            agentId: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            expiresAt: string;
            redeemed: boolean;
        };
        DeviceCodeStatus: {
            code: string;
            redeemed: boolean;
        };
        AgentCredentials: {
            agentId: string;
            agentName: string;
            accessToken: string;
            policy: components["schemas"]["AgentPolicy"];
        };
        AgentActionPage: {
            data: components["schemas"]["AgentAction"][];
            hasMore: boolean;
            nextCursor?: string;
            totalCount: number;
        };
        AgentAction: {
            id: string;
            agentId: string;
            customerId: string;
            platformCustomerId: string;
            status: components["schemas"]["AgentActionStatus"];
            /** @enum {string} */
            type: "EXECUTE_QUOTE" | "TRANSFER_OUT" | "TRANSFER_IN";
            /** @description For EXECUTE_QUOTE. */
            quote?: components["schemas"]["Quote"];
            /** @description For TRANSFER_OUT and TRANSFER_IN. */
            transferDetails?: {
                /** Format: int64 */
                amount: number;
                currency: string;
                sourceAccountId: string;
                destinationAccountId: string;
            };
            /** @description Once the execution has begun. */
            transaction?: components["schemas"]["Transaction"];
            rejectionReason?: string;
            /** @description An extension: for FAILED, what the same operation would be refused with. Absent where `failureReason` of the transaction says why, and for former failures. */
            failure?: {
                code: string;
                message: string;
            };
            /**
             * Format: date-time
             * @description An extension: when it was approved or rejected; absent where it waits, or the policy alone decided.
             */
            decidedAt?: string;
            /** @description An extension: the API token that approved it; absent for former decisions. */
            approvedBy?: string;
            /** @description An extension: the API token that rejected it; absent for former decisions. */
            rejectedBy?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
        };
        ExchangeRateList: {
            data: components["schemas"]["ExchangeRate"][];
        };
        ExchangeRate: {
            sourceCurrency: components["schemas"]["Currency"];
            /** Format: int64 */
            sendingAmount: number;
            /** Format: int64 */
            minSendingAmount: number;
            /** Format: int64 */
            maxSendingAmount: number;
            destinationCurrency: components["schemas"]["Currency"];
            destinationPaymentRail: components["schemas"]["PaymentRail"];
            /** Format: int64 */
            receivingAmount: number;
            /** @description Sending units per receiving unit, in major units. */
            exchangeRate: number;
            fees: {
                /** Format: int64 */
                fixed: number;
                /** Format: int64 */
                total: number;
            };
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
        };
        SandboxOidcToken: {
            oidcToken: string;
        };
        SandboxOidcConfiguration: {
            issuer: string;
            jwks_uri: string;
            token_endpoint: string;
            response_types_supported: string[];
            subject_types_supported: string[];
            id_token_signing_alg_values_supported: string[];
        };
        SandboxOidcKeys: {
            keys: {
                [key: string]: string;
            }[];
        };
        SandboxEmailPage: {
            data: components["schemas"]["SandboxEmail"][];
            hasMore: boolean;
            nextCursor?: string;
            totalCount: number;
        };
        SandboxEmail: {
            id: string;
            from: {
                name: string;
                address: string;
            };
            to: string;
            replyTo?: string;
            subject: string;
            text: string;
            html?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
        };
        SandboxClock: {
            /**
             * @description FOLLOWING shows the time of the installation; RUNNING is ahead of it, or behind.
             * @enum {string}
             */
            status: "FOLLOWING" | "FROZEN" | "RUNNING";
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            now: string;
            /**
             * Format: date-time
             * @description When a timer, or the attempt of a webhook, is due next.
             */
            nextTimerAt?: string;
        };
        SandboxAdvancedClock: {
            /**
             * @description FOLLOWING shows the time of the installation; RUNNING is ahead of it, or behind.
             * @enum {string}
             */
            status: "FOLLOWING" | "FROZEN" | "RUNNING";
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            now: string;
            /**
             * Format: date-time
             * @description When a timer, or the attempt of a webhook, is due next.
             */
            nextTimerAt?: string;
            /** @description In the order in which they have fired, up to 100. */
            fired: {
                /**
                 * @description ABANDON_DELETION lets go of a customer whose deletion was cut short, so that it can be asked for again.
                 * @enum {string}
                 */
                kind: "EXPIRE_QUOTE" | "END_APPROVAL" | "CHECK_PAYMENT" | "EXPIRE_INVITATION" | "ABANDON_DELETION";
                objectId: string;
                /**
                 * Format: date-time
                 * @description ISO 8601 date and time, UTC.
                 */
                dueAt: string;
            }[];
            firedCount: number;
        };
        SandboxWebhookList: {
            data: components["schemas"]["SandboxWebhook"][];
        };
        SandboxWebhook: {
            id: string;
            /** @description For `after`. */
            place: string;
            type: string;
            objectId: string;
            state: components["schemas"]["WebhookState"];
            attempts: number;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /** @description The `data` of the envelope. */
            data: {
                [key: string]: unknown;
            };
        };
        SandboxOutcomes: {
            /** @description A webhookEndpoint that takes everything. */
            inboxUrl: string;
            data: components["schemas"]["SandboxOutcome"][];
        };
        SandboxOutcome: {
            /** @enum {string} */
            chosenBy: "EXTERNAL_ACCOUNT_SUFFIX" | "PAYMENT_ADDRESS" | "REGISTRATION_NUMBER_SUFFIX" | "LAST_NAME_SUFFIX";
            /** @enum {string} */
            applies: "TRANSFER" | "QUOTE" | "NAME_CHECK" | "ACCOUNT_STATUS" | "VERIFICATION";
            value: string;
            meaning: string;
            steps: {
                afterMs: number;
                status: string;
                reason?: string;
            }[];
        };
        SandboxFault: {
            id: string;
            match: {
                operationId?: string;
                webhookType?: string;
                accountId?: string;
                currency?: string;
                paymentRail?: string;
                percent?: number;
            };
            effect: {
                kind: string;
                code?: string;
                /** @description The status that goes with the code. */
                status?: number;
                when?: string;
                /** @description ISO 8601, in seconds. */
                delay?: string;
            };
            /** @description How often it may still happen. */
            remaining?: number;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            expiresAt: string;
        };
        SandboxFaultList: {
            data: components["schemas"]["SandboxFault"][];
        };
        SandboxSnapshot: {
            id: string;
            name?: string;
            /** @description Of your platform in the log. */
            events: number;
            /**
             * Format: date-time
             * @description By the clock of the installation.
             */
            createdAt: string;
        };
        SandboxSnapshotList: {
            data: components["schemas"]["SandboxSnapshot"][];
        };
        WebhookTestResult: {
            url: string;
            response_status: number;
            response_body: string;
        };
        WebhookEventPage: {
            data: components["schemas"]["WebhookEvent"][];
            hasMore: boolean;
            nextCursor?: string;
            totalCount: number;
        };
        WebhookEvent: {
            id: string;
            type: string;
            /** @description What the event is about. */
            objectId: string;
            state: components["schemas"]["WebhookState"];
            /** @description How many have begun. One that is under way is not in `attemptLog` yet. */
            attempts: number;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            nextAttemptAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            deliveredAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
        };
        WebhookEventWithAttempts: {
            id: string;
            type: string;
            /** @description What the event is about. */
            objectId: string;
            state: components["schemas"]["WebhookState"];
            /** @description How many have begun. One that is under way is not in `attemptLog` yet. */
            attempts: number;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            nextAttemptAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            deliveredAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
            /** @description The `data` of the envelope. */
            data: {
                [key: string]: unknown;
            };
            attemptLog: components["schemas"]["WebhookAttempt"][];
        };
        WebhookAttempt: {
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            at: string;
            url: string;
            status?: number;
            latencyMs: number;
            /** @description The first 2 KiB of the answer. */
            responseBody?: string;
            /** @description Why no answer came. */
            error?: string;
        };
        WebhooksRedelivered: {
            count: number;
        };
        WebhookKeyList: {
            data: components["schemas"]["WebhookKey"][];
        };
        WebhookKey: {
            id: string;
            /** @description SPKI in PEM, P-256. */
            publicKey: string;
            /** @description For tokens with MANAGE: the secret of webhook-signature. */
            secret?: string;
            signs: ("X-Service-Signature" | "X-Service-Signature-Next" | "webhook-signature")[];
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description After a rotation: when the older key stops signing.
             */
            retiresAt?: string;
        };
        BalanceAt: {
            accountId: string;
            clock: components["schemas"]["AuditClock"];
            /**
             * Format: date-time
             * @description The moment; what it brought belongs to it.
             */
            at: string;
            balance: components["schemas"]["CurrencyAmount"];
            /** @description An extension: the position of the log up to which the figures hold. What was recorded after it is not in them. */
            asOf: string;
        };
        Statement: {
            data: components["schemas"]["StatementEntry"][];
            hasMore: boolean;
            nextCursor?: string;
            totalCount: number;
            clock: components["schemas"]["AuditClock"];
            /** @description What the account held before the period. */
            opening: components["schemas"]["CurrencyAmount"];
            /** @description What it held at its end. */
            closing: components["schemas"]["CurrencyAmount"];
            /** @description An extension: the position of the log up to which the figures hold. What was recorded after it is not in them. */
            asOf: string;
        };
        StatementEntry: {
            /** @description The place in the log. */
            position: string;
            /** Format: uuid */
            eventId: string;
            transactionId?: string;
            /** @description Negative where it left the account. */
            amount: components["schemas"]["CurrencyAmount"];
            /** @description What the account held after the entry. */
            balance: components["schemas"]["CurrencyAmount"];
            /**
             * Format: date-time
             * @description When the log got it.
             */
            recordedAt: string;
            /**
             * Format: date-time
             * @description When it happened: at the latest when it was recorded, also where a clock of the sandbox was put forward.
             */
            happenedAt: string;
        };
        History: {
            data: components["schemas"]["HistoryEntry"][];
            hasMore: boolean;
            nextCursor?: string;
            totalCount: number;
        };
        HistoryEntry: {
            /** @description The place in the log. */
            position: string;
            /** Format: uuid */
            eventId: string;
            /** @description The event's place in the history, from 0. */
            revision: number;
            /** @description The type of the event (docs/reference/events.md). */
            type: string;
            /** @description What happened, in a sentence. Programs go by the type. */
            description: string;
            /** @description Who did it: `token:…`, `agent:…`, `operator`, or what runs by itself. */
            actor: string;
            /** @description X-Request-Id of the request that did it. */
            requestId?: string;
            /** @description What it moved; empty where it moved nothing. The sum is zero in each currency. */
            postings: {
                account: string;
                amount: components["schemas"]["CurrencyAmount"];
            }[];
            /**
             * Format: date-time
             * @description When the log got it.
             */
            recordedAt: string;
            /**
             * Format: date-time
             * @description When it happened: at the latest when it was recorded, also where a clock of the sandbox was put forward.
             */
            happenedAt: string;
        };
        Checkpoints: {
            data: components["schemas"]["Checkpoint"][];
            hasMore: boolean;
            nextCursor?: string;
            /** @description What the notes are signed with: `<name>+<id>+<key>`. The same for ever. */
            key?: string;
        };
        Checkpoint: {
            /** @description The number of events. */
            size: number;
            /**
             * Format: base64
             * @description Of the Merkle tree (RFC 6962) over their hashes.
             */
            root: string;
            /** @description Both with their signature, as a C2SP signed note. */
            note: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            signedAt: string;
            /** @description How many of the events are from before each had a hash. They are the first ones. */
            unsealedEvents: number;
        };
        Proof: {
            /** @description The number of events. */
            size: number;
            /**
             * Format: base64
             * @description Of the Merkle tree (RFC 6962) over their hashes.
             */
            root: string;
            /** @description The event's place in the tree, from 0. */
            index?: number;
            /** @description The event's hash in hexadecimal. The leaf is SHA-256 of a zero byte and its 32 bytes. */
            eventHash?: string;
            /** @description The proof, as RFC 9162 checks it (2.1.3.2, 2.1.4.2). */
            hashes: string[];
        };
        ConsoleSession: {
            platformId: string;
            /** @description The domain of the platform. */
            platformName: string;
            tokenId: string;
            tokenName: string;
            permissions: components["schemas"]["ApiPermission"][];
            /** @enum {string} */
            environment: "SANDBOX" | "PRODUCTION";
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            expiresAt: string;
        };
        LoggedRequestPage: {
            data: components["schemas"]["LoggedRequest"][];
            hasMore: boolean;
            nextCursor?: string;
            totalCount: number;
        };
        LoggedRequest: {
            id: string;
            /** @description X-Request-Id of its answer; the same as `id`. */
            requestId: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            method: string;
            /** @description Of parameters, ids alone are shown. */
            path: string;
            operationId: string;
            /** @description 499 where the caller hung up. */
            status: number;
            code: string | null;
            durationMs: number;
            idempotencyKey: string | null;
            /** @description Null for an agent. */
            tokenId: string | null;
        };
        LoggedRequestWithBodies: {
            id: string;
            /** @description X-Request-Id of its answer; the same as `id`. */
            requestId: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            method: string;
            /** @description Of parameters, ids alone are shown. */
            path: string;
            operationId: string;
            /** @description 499 where the caller hung up. */
            status: number;
            code: string | null;
            durationMs: number;
            idempotencyKey: string | null;
            /** @description Null for an agent. */
            tokenId: string | null;
            query: string;
            /** @description Masked but for ids, moments, amounts and words. */
            requestBody: unknown;
            /** @description Masked but for ids, moments, amounts and words. */
            responseBody: unknown;
            /** @description Something was too long to be kept. */
            truncated: boolean;
        };
        TransactionLife: {
            transactionId: string;
            data: components["schemas"]["LifeEvent"][];
        };
        LifeEvent: {
            /** @description The place in the log. */
            position: string;
            /** Format: uuid */
            eventId: string;
            /** @description The event's place in the history, from 0. */
            revision: number;
            /** @description The type of the event (docs/reference/events.md). */
            type: string;
            /** @description What happened, in a sentence. Programs go by the type. */
            description: string;
            /** @description Who did it: `token:…`, `agent:…`, `operator`, or what runs by itself. */
            actor: string;
            /** @description X-Request-Id of the request that did it. */
            requestId?: string;
            /** @description What it moved; empty where it moved nothing. The sum is zero in each currency. */
            postings: {
                account: string;
                amount: components["schemas"]["CurrencyAmount"];
            }[];
            /**
             * Format: date-time
             * @description When the log got it.
             */
            recordedAt: string;
            /**
             * Format: date-time
             * @description When it happened: at the latest when it was recorded, also where a clock of the sandbox was put forward.
             */
            happenedAt: string;
            stream: string;
            /**
             * Format: uuid
             * @description The event of this life that led to it.
             */
            causedBy?: string;
            /** @description What the log has, without what belongs to the platform on the other side. */
            data: {
                [key: string]: unknown;
            };
        };
        Found: {
            /** @enum {string} */
            kind: "transaction" | "quote" | "customer" | "beneficialOwner" | "document" | "verification" | "account" | "externalAccount" | "agent" | "agentAction" | "webhook" | "token" | "request";
            id: string;
            /** @description Where the interface tells of it; of an action, its agent. */
            path: string;
        };
        ConsoleHealth: {
            points: components["schemas"]["HealthPoint"][];
        };
        HealthPoint: {
            /**
             * Format: date-time
             * @description The end of the 5 seconds.
             */
            at: string;
            requestsPerSecond: number;
            /** @description Requests that began a payment. */
            paymentsPerSecond: number;
            /** @description Null where there was no request. */
            p50Ms: number | null;
            p99Ms: number | null;
            /** @description Of the whole log. Null, as those after it, where nobody was looking. */
            projectionLagEvents: number | null;
            /** @description Timers of the platform that are due. */
            queueDepth: number | null;
            /** @description Webhook events that are pending: 10,000 at most. */
            deliveriesWaiting: number | null;
            /** @description Those that have failed and are kept: 10,000 at most. */
            deliveriesFailed: number | null;
        };
        /** @description The `data` is the resource as its GET answered right after the event. Further types may come. */
        Webhook: components["schemas"]["TestWebhook"] | components["schemas"]["OutgoingPaymentWebhook"] | components["schemas"]["IncomingPaymentWebhook"] | components["schemas"]["IncomingPaymentPendingWebhook"] | components["schemas"]["CustomerWebhook"] | components["schemas"]["VerificationWebhook"] | components["schemas"]["InternalAccountWebhook"] | components["schemas"]["ExternalAccountWebhook"] | components["schemas"]["InvitationClaimedWebhook"] | components["schemas"]["AgentActionWebhook"];
        TestWebhook: {
            /** @description The same at every attempt. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "TEST";
            /**
             * Format: date-time
             * @description When this attempt was sent, by the platform's clock.
             */
            timestamp: string;
            data: Record<string, never>;
        };
        OutgoingPaymentWebhook: {
            /** @description The same at every attempt. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "OUTGOING_PAYMENT.PENDING" | "OUTGOING_PAYMENT.PROCESSING" | "OUTGOING_PAYMENT.COMPLETED" | "OUTGOING_PAYMENT.FAILED" | "OUTGOING_PAYMENT.EXPIRED" | "OUTGOING_PAYMENT.REFUND_PENDING" | "OUTGOING_PAYMENT.REFUND_COMPLETED" | "OUTGOING_PAYMENT.REFUND_FAILED";
            /**
             * Format: date-time
             * @description When this attempt was sent, by the platform's clock.
             */
            timestamp: string;
            data: components["schemas"]["Transaction"];
        };
        IncomingPaymentWebhook: {
            /** @description The same at every attempt. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "INCOMING_PAYMENT.COMPLETED" | "INCOMING_PAYMENT.FAILED" | "INCOMING_PAYMENT.REFUND_PENDING" | "INCOMING_PAYMENT.REFUND_COMPLETED" | "INCOMING_PAYMENT.REFUND_FAILED";
            /**
             * Format: date-time
             * @description When this attempt was sent, by the platform's clock.
             */
            timestamp: string;
            data: components["schemas"]["Transaction"];
        };
        IncomingPaymentPendingWebhook: {
            /** @description The same at every attempt. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "INCOMING_PAYMENT.PENDING";
            /**
             * Format: date-time
             * @description When this attempt was sent, by the platform's clock.
             */
            timestamp: string;
            data: components["schemas"]["TransactionForApproval"];
        };
        TransactionForApproval: {
            id: string;
            status: components["schemas"]["TransactionStatus"];
            type: components["schemas"]["TransactionType"];
            /** @enum {string} */
            direction: "CREDIT" | "DEBIT";
            source: components["schemas"]["TransactionSource"];
            destination: components["schemas"]["TransactionDestination"];
            /** @description Who pays, or is paid where the payment is incoming. Null for the platform's own payments. */
            customerId: string | null;
            platformCustomerId: string | null;
            sentAmount?: components["schemas"]["CurrencyAmount"];
            receivedAmount: components["schemas"]["CurrencyAmount"];
            /**
             * Format: int64
             * @description In the currency that is sent, a part of what is sent.
             */
            fees: number;
            /** @description Sending units per receiving unit, in major units, after fees. */
            exchangeRate?: number;
            rateDetails?: components["schemas"]["TransactionRateDetails"];
            quoteId?: string;
            /** @description Where an agent initiated the payment. */
            agentId?: string;
            description?: string;
            /** @description While a quote with REALTIME_FUNDING waits for its payer: how to pay it. */
            paymentInstructions?: components["schemas"]["PaymentInstruction"][];
            /** @description Of the bank account at the outside end. */
            paymentRail?: components["schemas"]["PaymentRail"];
            counterpartyInformation?: {
                [key: string]: string;
            };
            reconciliationInstructions: {
                reference: string;
            };
            /**
             * @description What holds a payment up: the account that it goes to is frozen.
             * @enum {string}
             */
            pendingReason?: "COMPLIANCE_REVIEW";
            /** @enum {string} */
            failureReason?: "LNURLP_FAILED" | "PAY_REQUEST_FAILED" | "PAYMENT_APPROVAL_WEBHOOK_ERROR" | "PAYMENT_APPROVAL_TIMED_OUT" | "OFFRAMP_FAILED" | "MISSING_MANDATORY_PAYEE_DATA" | "QUOTE_EXPIRED" | "QUOTE_EXECUTION_FAILED";
            refund?: components["schemas"]["Refund"];
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            settledAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            receiptDeliveryConfirmedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601 date and time, UTC.
             */
            updatedAt: string;
            /** @description What the sender's platform asks for of the receiver, and the service does not know. */
            requestedReceiverCustomerInfoFields: {
                /** @enum {string} */
                name: "FULL_NAME" | "BIRTH_DATE" | "NATIONALITY" | "PHONE_NUMBER" | "EMAIL" | "POSTAL_ADDRESS" | "TAX_ID" | "REGISTRATION_NUMBER" | "USER_TYPE" | "COUNTRY_OF_RESIDENCE" | "ACCOUNT_IDENTIFIER" | "FI_LEGAL_ENTITY_NAME" | "FI_ADDRESS" | "PURPOSE_OF_PAYMENT" | "ULTIMATE_INSTITUTION_COUNTRY" | "IDENTIFIER" | "BUSINESS_TYPE" | "COMPANY_LEGAL_NAME" | "ID_TYPE" | "ID_NUMBER";
                mandatory: boolean;
            }[];
        };
        CustomerWebhook: {
            /** @description The same at every attempt. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "CUSTOMER.KYC_PENDING" | "CUSTOMER.KYC_APPROVED" | "CUSTOMER.KYC_REJECTED" | "CUSTOMER.KYB_PENDING" | "CUSTOMER.KYB_APPROVED" | "CUSTOMER.KYB_REJECTED";
            /**
             * Format: date-time
             * @description When this attempt was sent, by the platform's clock.
             */
            timestamp: string;
            data: components["schemas"]["Customer"];
        };
        VerificationWebhook: {
            /** @description The same at every attempt. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "VERIFICATION.RESOLVE_ERRORS" | "VERIFICATION.IN_PROGRESS" | "VERIFICATION.PENDING_MANUAL_REVIEW" | "VERIFICATION.APPROVED" | "VERIFICATION.REJECTED" | "VERIFICATION.READY_FOR_VERIFICATION";
            /**
             * Format: date-time
             * @description When this attempt was sent, by the platform's clock.
             */
            timestamp: string;
            data: components["schemas"]["Verification"];
        };
        InternalAccountWebhook: {
            /** @description The same at every attempt. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "INTERNAL_ACCOUNT.BALANCE_UPDATED" | "INTERNAL_ACCOUNT.STATUS_UPDATED" | "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED";
            /**
             * Format: date-time
             * @description When this attempt was sent, by the platform's clock.
             */
            timestamp: string;
            data: components["schemas"]["InternalAccount"];
        };
        ExternalAccountWebhook: {
            /** @description The same at every attempt. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "EXTERNAL_ACCOUNT.STATUS_UPDATED";
            /**
             * Format: date-time
             * @description When this attempt was sent, by the platform's clock.
             */
            timestamp: string;
            data: components["schemas"]["ExternalAccount"];
        };
        InvitationClaimedWebhook: {
            /** @description The same at every attempt. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "INVITATION_CLAIMED";
            /**
             * Format: date-time
             * @description When this attempt was sent, by the platform's clock.
             */
            timestamp: string;
            data: components["schemas"]["Invitation"];
        };
        AgentActionWebhook: {
            /** @description The same at every attempt. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "AGENT_ACTION.PENDING_APPROVAL";
            /**
             * Format: date-time
             * @description When this attempt was sent, by the platform's clock.
             */
            timestamp: string;
            data: components["schemas"]["AgentAction"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getPlatformConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The configuration. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformConfig"];
                };
            };
        };
    };
    updatePlatformConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "strictFields": true
                 *     }
                 */
                "application/json": components["schemas"]["PlatformConfigUpdateRequest"];
            };
        };
        responses: {
            /** @description The configuration. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformConfig"];
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description Of the customer with this id of the platform's own, in the same case. */
                platformCustomerId?: string;
                /** @description People or businesses alone. */
                customerType?: components["schemas"]["CustomerType"];
                /**
                 * @description Created then or later. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2026-01-01T00:00:00Z
                 */
                createdAfter?: string;
                /**
                 * @description Created then or earlier. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2036-01-01T00:00:00Z
                 */
                createdBefore?: string;
                /**
                 * @description Last changed then or later. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2026-01-01T00:00:00Z
                 */
                updatedAfter?: string;
                /**
                 * @description Last changed then or earlier. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2036-01-01T00:00:00Z
                 */
                updatedBefore?: string;
                /** @description In this country alone, by ISO 3166-1 alpha-2. */
                region?: string;
                /** @description Customers that have this currency. */
                currency?: string;
                /** @description The customer with this payment address, whose case does not count. */
                umaAddress?: string;
                /** @description Whether deleted customers are in the list. They are not where it is left out. */
                isIncludingDeleted?: boolean;
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of customers, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerPage"];
                };
            };
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "customerType": "INDIVIDUAL",
                 *       "region": "GB",
                 *       "currencies": [
                 *         "USD",
                 *         "EUR"
                 *       ],
                 *       "email": "ada@example.com",
                 *       "fullName": "Ada Lovelace",
                 *       "birthDate": "1985-12-10",
                 *       "nationality": "GB",
                 *       "address": {
                 *         "line1": "1 Analytical Row",
                 *         "city": "London",
                 *         "postalCode": "NW1 6XE",
                 *         "country": "GB"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerCreateRequest"];
            };
        };
        responses: {
            /** @description The customer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Customer:01a1f84e-cc35-73e8-b3e0-000000000001 */
                customerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    deleteCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Customer:01a1f84e-cc35-73e8-b3e0-000000000002 */
                customerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The stamp over payloadToSign, by the key of a session of the wallet. */
                "Service-Wallet-Signature"?: string;
                /** @description Another name of Service-Wallet-Signature, as existing clients send it. */
                "Grid-Wallet-Signature"?: string;
                /** @description The requestId of the challenge. */
                "Request-Id"?: string;
            };
            path: {
                /** @example Customer:01a1f84e-cc35-73e8-b3e0-000000000001 */
                customerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": {
                 *         "line1": "1 Analytical Row",
                 *         "city": "London",
                 *         "postalCode": "NW1 6XE",
                 *         "country": "GB"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CustomerUpdateRequest"];
            };
        };
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description A challenge: sign payloadToSign with a session key and send the same request again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignatureChallenge"];
                };
            };
        };
    };
    eraseCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Customer:01a1f84e-cc35-73e8-b3e0-000000000002 */
                customerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far it is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerErasure"];
                };
            };
        };
    };
    listBeneficialOwners: {
        parameters: {
            query: {
                /**
                 * @description The business whose owners they are.
                 * @example Customer:01a1f84e-cc35-73e8-b3e0-000000000004
                 */
                customerId: string;
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of owners, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BeneficialOwnerPage"];
                };
            };
        };
    };
    createBeneficialOwner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "customerId": "Customer:01a1f84e-cc35-73e8-b3e0-000000000005",
                 *       "roles": [
                 *         "UBO",
                 *         "DIRECTOR"
                 *       ],
                 *       "ownershipPercentage": 51.5,
                 *       "personalInfo": {
                 *         "firstName": "Ada",
                 *         "lastName": "Lovelace",
                 *         "birthDate": "1985-12-10",
                 *         "nationality": "GB",
                 *         "address": {
                 *           "line1": "1 Analytical Row",
                 *           "city": "London",
                 *           "postalCode": "NW1 6XE",
                 *           "country": "GB"
                 *         },
                 *         "idType": "SSN",
                 *         "identifier": "078051120",
                 *         "countryOfIssuance": "US"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BeneficialOwnerCreateRequest"];
            };
        };
        responses: {
            /** @description The beneficial owner. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BeneficialOwner"];
                };
            };
        };
    };
    getBeneficialOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example BeneficialOwner:01a1f84e-cc35-73e8-b3e0-000000000001 */
                beneficialOwnerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The beneficial owner. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BeneficialOwner"];
                };
            };
        };
    };
    updateBeneficialOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example BeneficialOwner:01a1f84e-cc35-73e8-b3e0-000000000002 */
                beneficialOwnerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ownershipPercentage": 40
                 *     }
                 */
                "application/json": components["schemas"]["BeneficialOwnerUpdateRequest"];
            };
        };
        responses: {
            /** @description The beneficial owner. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BeneficialOwner"];
                };
            };
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /**
                 * @description Of this customer or beneficial owner alone.
                 * @example Customer:01a1f84e-cc35-73e8-b3e0-000000000004
                 */
                documentHolder?: string;
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of documents, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentPage"];
                };
            };
        };
    };
    uploadDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "documentHolder": "Customer:01a1f84e-cc35-73e8-b3e0-000000000004",
                 *       "documentType": "PASSPORT",
                 *       "country": "GB",
                 *       "side": "FRONT",
                 *       "file": "passport.png"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["DocumentUploadRequest"];
            };
        };
        responses: {
            /** @description The document, without its content. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Document:01a1f84e-cc35-73e8-b3e0-000000000001 */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, without its content. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
        };
    };
    replaceDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Document:01a1f84e-cc35-73e8-b3e0-000000000001 */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "documentType": "PASSPORT",
                 *       "country": "GB",
                 *       "side": "FRONT",
                 *       "file": "passport.png"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["DocumentReplaceRequest"];
            };
        };
        responses: {
            /** @description The document, without its content. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
        };
    };
    deleteDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Document:01a1f84e-cc35-73e8-b3e0-000000000002 */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document and its content are deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listVerifications: {
        parameters: {
            query?: {
                /**
                 * @description Of this customer alone.
                 * @example Customer:01a1f84e-cc35-73e8-b3e0-000000000004
                 */
                customerId?: string;
                /** @description With this status alone. */
                verificationStatus?: components["schemas"]["VerificationStatus"];
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of verifications, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationPage"];
                };
            };
        };
    };
    createVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "customerId": "Customer:01a1f84e-cc35-73e8-b3e0-000000000006"
                 *     }
                 */
                "application/json": components["schemas"]["VerificationRequest"];
            };
        };
        responses: {
            /** @description The verification. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
        };
    };
    getVerification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Verification:01a1f84e-cc35-73e8-b3e0-000000000001 */
                verificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The verification. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
        };
    };
    listCustomerInternalAccounts: {
        parameters: {
            query?: {
                /** @description In this currency alone, by its code. */
                currency?: string;
                /** @description Of this type alone. */
                type?: components["schemas"]["InternalAccountType"];
                /**
                 * @description Of this customer alone.
                 * @example Customer:01a1f84e-cc35-73e8-b3e0-000000000001
                 */
                customerId?: string;
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of accounts, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalAccountPage"];
                };
            };
        };
    };
    listPlatformInternalAccounts: {
        parameters: {
            query?: {
                /** @description In this currency alone, by its code. */
                currency?: string;
                /** @description Of this type alone. */
                type?: components["schemas"]["InternalAccountType"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalAccountList"];
                };
            };
        };
    };
    getTrialBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One line per currency. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrialBalanceList"];
                };
            };
        };
    };
    listCustomerExternalAccounts: {
        parameters: {
            query?: {
                /**
                 * @description Of this customer alone.
                 * @example Customer:01a1f84e-cc35-73e8-b3e0-000000000001
                 */
                customerId?: string;
                /** @description In this currency alone, by its code. */
                currency?: string;
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of accounts, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalAccountPage"];
                };
            };
        };
    };
    createCustomerExternalAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "customerId": "Customer:01a1f84e-cc35-73e8-b3e0-000000000002",
                 *       "currency": "EUR",
                 *       "accountInfo": {
                 *         "accountType": "EUR_ACCOUNT",
                 *         "iban": "DE89370400440532013000",
                 *         "beneficiary": {
                 *           "beneficiaryType": "INDIVIDUAL",
                 *           "fullName": "Grace Hopper",
                 *           "countryOfResidence": "DE"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ExternalAccountCreateRequest"];
            };
        };
        responses: {
            /** @description The account. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalAccount"];
                };
            };
        };
    };
    getCustomerExternalAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ExternalAccount:01a1f84e-cc35-73e8-b3e0-000000000001 */
                externalAccountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalAccount"];
                };
            };
        };
    };
    deleteCustomerExternalAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ExternalAccount:01a1f84e-cc35-73e8-b3e0-000000000002 */
                externalAccountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account is deleted; its payments stay readable. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listPlatformExternalAccounts: {
        parameters: {
            query?: {
                /** @description In this currency alone, by its code. */
                currency?: string;
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of accounts, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalAccountPage"];
                };
            };
        };
    };
    createPlatformExternalAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "currency": "USD",
                 *       "accountInfo": {
                 *         "accountType": "USD_ACCOUNT",
                 *         "accountNumber": "1815121099789",
                 *         "routingNumber": "021000021",
                 *         "beneficiary": {
                 *           "beneficiaryType": "INDIVIDUAL",
                 *           "fullName": "Grace Hopper",
                 *           "countryOfResidence": "US"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PlatformExternalAccountCreateRequest"];
            };
        };
        responses: {
            /** @description The account. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalAccount"];
                };
            };
        };
    };
    getPlatformExternalAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ExternalAccount:01a1f84e-cc35-73e8-b3e0-000000000004 */
                externalAccountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalAccount"];
                };
            };
        };
    };
    deletePlatformExternalAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ExternalAccount:01a1f84e-cc35-73e8-b3e0-000000000005 */
                externalAccountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account is deleted; its payments stay readable. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    transferIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer to this key is the answer to every request with it, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "accountId": "ExternalAccount:01a1f84e-cc35-73e8-b3e0-000000000003"
                 *       },
                 *       "destination": {
                 *         "accountId": "InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000002"
                 *       },
                 *       "amount": 2500
                 *     }
                 */
                "application/json": components["schemas"]["TransferInRequest"];
            };
        };
        responses: {
            /** @description The transaction. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    transferOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer to this key is the answer to every request with it, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "accountId": "InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000002"
                 *       },
                 *       "destination": {
                 *         "accountId": "ExternalAccount:01a1f84e-cc35-73e8-b3e0-000000000003"
                 *       },
                 *       "amount": 2500
                 *     }
                 */
                "application/json": components["schemas"]["TransferOutRequest"];
            };
        };
        responses: {
            /** @description The transaction. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    lookUpUmaAddress: {
        parameters: {
            query?: {
                /** @description The payment address of the customer who would pay. Needed where customerId is left out. */
                senderUmaAddress?: string;
                /**
                 * @description The customer who would pay. Needed where senderUmaAddress is left out.
                 * @example Customer:01a1f84e-cc35-73e8-b3e0-000000000001
                 */
                customerId?: string;
            };
            header?: never;
            path: {
                /** @example $grace@daybook.test */
                receiverUmaAddress: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the receiver takes and asks for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressLookup"];
                };
            };
        };
    };
    lookUpExternalAccount: {
        parameters: {
            query?: {
                /** @description The payment address of the customer who would pay. Needed where customerId is left out. */
                senderUmaAddress?: string;
                /**
                 * @description The customer who would pay. Needed where senderUmaAddress is left out.
                 * @example Customer:01a1f84e-cc35-73e8-b3e0-000000000001
                 */
                customerId?: string;
            };
            header?: never;
            path: {
                /** @example ExternalAccount:01a1f84e-cc35-73e8-b3e0-000000000001 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the receiver takes and asks for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountLookup"];
                };
            };
        };
    };
    createQuote: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer to this key is the answer to every request with it, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "accountId": "InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000002"
                 *       },
                 *       "destination": {
                 *         "accountId": "ExternalAccount:01a1f84e-cc35-73e8-b3e0-000000000001"
                 *       },
                 *       "lockedCurrencySide": "SENDING",
                 *       "lockedCurrencyAmount": 2500,
                 *       "description": "Invoice 1815"
                 *     }
                 */
                "application/json": components["schemas"]["QuoteCreateRequest"];
            };
        };
        responses: {
            /** @description The quote. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
        };
    };
    getQuote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Quote:01a1f84e-cc35-73e8-b3e0-000000000001 */
                quoteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quote. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
        };
    };
    executeQuote: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer to this key is the answer to every request with it, for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The stamp over payloadToSign, by the key of a session of the wallet. */
                "Service-Wallet-Signature"?: string;
                /** @description Another name of Service-Wallet-Signature, as existing clients send it. */
                "Grid-Wallet-Signature"?: string;
            };
            path: {
                /** @example Quote:01a1f84e-cc35-73e8-b3e0-000000000001 */
                quoteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quote, under way. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /**
                 * @description Of this customer alone.
                 * @example Customer:01a1f84e-cc35-73e8-b3e0-000000000001
                 */
                customerId?: string;
                /** @description Of the customer with this id of the platform's own, in the same case. */
                platformCustomerId?: string;
                /** @description The sender or the receiver. The id of an internal or external account, or a payment address, whose case does not count: that of a customer stands for all accounts it went by. */
                accountIdentifier?: string;
                /** @description The sender. The id of an internal or external account, or a payment address, whose case does not count: that of a customer stands for all accounts it went by. */
                senderAccountIdentifier?: string;
                /** @description The receiver. The id of an internal or external account, or a payment address, whose case does not count: that of a customer stands for all accounts it went by. */
                receiverAccountIdentifier?: string;
                /** @description With this status alone. */
                status?: components["schemas"]["TransactionStatus"];
                /** @description Of this type alone. */
                type?: components["schemas"]["TransactionType"];
                /** @description With this reference in reconciliationInstructions, in the same case. */
                reference?: string;
                /**
                 * @description Created then or later. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2026-01-01T00:00:00Z
                 */
                startDate?: string;
                /**
                 * @description Created then or earlier. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2036-01-01T00:00:00Z
                 */
                endDate?: string;
                /**
                 * @description By the time of creation: the newest first, or the oldest.
                 * @example desc
                 */
                sortOrder?: components["schemas"]["SortOrder"];
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transactions by creation time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionPage"];
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Transaction:01a1f84e-cc35-73e8-b3e0-000000000001 */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    approveTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Transaction:01a1f84e-cc35-73e8-b3e0-000000000003 */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "receiverCustomerInfo": {
                 *         "FULL_NAME": "Ada Lovelace"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ApproveTransactionRequest"];
            };
        };
        responses: {
            /** @description The transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    rejectTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Transaction:01a1f84e-cc35-73e8-b3e0-000000000003 */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The payer is not known."
                 *     }
                 */
                "application/json": components["schemas"]["RejectTransactionRequest"];
            };
        };
        responses: {
            /** @description The transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    confirmReceiptDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Transaction:01a1f84e-cc35-73e8-b3e0-000000000002 */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["ConfirmReceiptRequest"];
            };
        };
        responses: {
            /** @description The transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "inviterUma": "$ada@daybook.test",
                 *       "firstName": "Grace",
                 *       "amountToSend": 2500
                 *     }
                 */
                "application/json": components["schemas"]["InvitationCreateRequest"];
            };
        };
        responses: {
            /** @description The invitation. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example e4a3b2c1 */
                invitationCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    claimInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example e4a3b2c1 */
                invitationCode: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "inviteeUma": "$grace@daybook.test"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationClaimRequest"];
            };
        };
        responses: {
            /** @description The invitation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    cancelInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example e4a3b2c1 */
                invitationCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    listAuthCredentials: {
        parameters: {
            query: {
                /**
                 * @description The wallet, an internal account of the type EMBEDDED_WALLET.
                 * @example InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000004
                 */
                accountId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthMethodList"];
                };
            };
        };
    };
    createAuthCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description The stamp over payloadToSign, by the key of a session of the wallet. */
                "Service-Wallet-Signature"?: string;
                /** @description Another name of Service-Wallet-Signature, as existing clients send it. */
                "Grid-Wallet-Signature"?: string;
                /** @description The requestId of the challenge. */
                "Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "EMAIL_OTP",
                 *       "accountId": "InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000005"
                 *     }
                 */
                "application/json": components["schemas"]["AuthMethodCreateRequest"];
            };
        };
        responses: {
            /** @description The credential. No session is issued. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthMethod"];
                };
            };
            /** @description A challenge: sign payloadToSign with a session key and send the same request again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignatureChallenge"];
                };
            };
        };
    };
    deleteAuthCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description The stamp over payloadToSign, by the key of a session of the wallet. */
                "Service-Wallet-Signature"?: string;
                /** @description Another name of Service-Wallet-Signature, as existing clients send it. */
                "Grid-Wallet-Signature"?: string;
                /** @description The requestId of the challenge. */
                "Request-Id"?: string;
            };
            path: {
                /** @example AuthMethod:01a1f84e-cc35-73e8-b3e0-000000000001 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A challenge: sign payloadToSign with a session key and send the same request again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignatureChallenge"];
                };
            };
            /** @description It is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    challengeAuthCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example AuthMethod:01a1f84e-cc35-73e8-b3e0-000000000002 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["AuthChallengeRequest"];
            };
        };
        responses: {
            /** @description The credential; for a PASSKEY with its challenge. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthChallenge"];
                };
            };
        };
    };
    verifyAuthCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description The requestId of the challenge. */
                "Request-Id"?: string;
            };
            path: {
                /** @example AuthMethod:01a1f84e-cc35-73e8-b3e0-000000000003 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "EMAIL_OTP",
                 *       "otp": "000000",
                 *       "clientPublicKey": "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
                 *     }
                 */
                "application/json": components["schemas"]["AuthVerifyRequest"];
            };
        };
        responses: {
            /** @description The session, with its key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedAuthSession"];
                };
            };
        };
    };
    listAuthSessions: {
        parameters: {
            query: {
                /**
                 * @description The wallet, an internal account of the type EMBEDDED_WALLET.
                 * @example InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000004
                 */
                accountId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first, without keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthSessionList"];
                };
            };
        };
    };
    deleteAuthSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The stamp over payloadToSign, by the key of a session of the wallet. */
                "Service-Wallet-Signature"?: string;
                /** @description Another name of Service-Wallet-Signature, as existing clients send it. */
                "Grid-Wallet-Signature"?: string;
                /** @description The requestId of the challenge. */
                "Request-Id"?: string;
            };
            path: {
                /** @example Session:01a1f84e-cc35-73e8-b3e0-000000000001 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A challenge: sign payloadToSign with a session key and send the same request again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignatureChallenge"];
                };
            };
            /** @description It has ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    refreshAuthSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The stamp over payloadToSign, by the key of a session of the wallet. */
                "Service-Wallet-Signature"?: string;
                /** @description Another name of Service-Wallet-Signature, as existing clients send it. */
                "Grid-Wallet-Signature"?: string;
                /** @description The requestId of the challenge. */
                "Request-Id"?: string;
            };
            path: {
                /** @example Session:01a1f84e-cc35-73e8-b3e0-000000000001 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientPublicKey": "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
                 *     }
                 */
                "application/json": components["schemas"]["AuthSessionRefreshRequest"];
            };
        };
        responses: {
            /** @description The new session, with its key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedAuthSession"];
                };
            };
            /** @description A challenge: sign payloadToSign with a session key and send the same request again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignatureChallenge"];
                };
            };
        };
    };
    updateInternalAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The stamp over payloadToSign, by the key of a session of the wallet. */
                "Service-Wallet-Signature"?: string;
                /** @description Another name of Service-Wallet-Signature, as existing clients send it. */
                "Grid-Wallet-Signature"?: string;
                /** @description The requestId of the challenge. */
                "Request-Id"?: string;
            };
            path: {
                /** @example InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000004 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "privateEnabled": true
                 *     }
                 */
                "application/json": components["schemas"]["InternalAccountUpdateRequest"];
            };
        };
        responses: {
            /** @description The wallet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalAccount"];
                };
            };
            /** @description A challenge: sign payloadToSign with a session key and send the same request again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignatureChallenge"];
                };
            };
        };
    };
    exportInternalAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The stamp over payloadToSign, by the key of a session of the wallet. */
                "Service-Wallet-Signature"?: string;
                /** @description Another name of Service-Wallet-Signature, as existing clients send it. */
                "Grid-Wallet-Signature"?: string;
                /** @description The requestId of the challenge. */
                "Request-Id"?: string;
            };
            path: {
                /** @example InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000004 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientPublicKey": "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
                 *     }
                 */
                "application/json": components["schemas"]["InternalAccountExportRequest"];
            };
        };
        responses: {
            /** @description The sealed phrase. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletExport"];
                };
            };
            /** @description A challenge: sign payloadToSign with a session key and send the same request again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignatureChallenge"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description With this name, in the same case. */
                name?: string;
                /**
                 * @description Created then or later. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2026-01-01T00:00:00Z
                 */
                createdAfter?: string;
                /**
                 * @description Created then or earlier. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2036-01-01T00:00:00Z
                 */
                createdBefore?: string;
                /**
                 * @description Last changed then or later. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2026-01-01T00:00:00Z
                 */
                updatedAfter?: string;
                /**
                 * @description Last changed then or earlier. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2036-01-01T00:00:00Z
                 */
                updatedBefore?: string;
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tokens, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiTokenPage"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Reports",
                 *       "permissions": [
                 *         "VIEW"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["TokenCreateRequest"];
            };
        };
        responses: {
            /** @description The token with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiToken"];
                };
            };
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Token:01a1f84e-cc35-73e8-b3e0-000000000001 */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiToken"];
                };
            };
        };
    };
    deleteToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Token:01a1f84e-cc35-73e8-b3e0-000000000002 */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /**
                 * @description Of this customer alone.
                 * @example Customer:01a1f84e-cc35-73e8-b3e0-000000000001
                 */
                customerId?: string;
                /** @description Whether they are paused. */
                isPaused?: boolean;
                /** @description Whether their device code was redeemed. */
                isConnected?: boolean;
                /**
                 * @description Created then or later. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2026-01-01T00:00:00Z
                 */
                createdAfter?: string;
                /**
                 * @description Created then or earlier. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2036-01-01T00:00:00Z
                 */
                createdBefore?: string;
                /**
                 * @description Last changed then or later. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2026-01-01T00:00:00Z
                 */
                updatedAfter?: string;
                /**
                 * @description Last changed then or earlier. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2036-01-01T00:00:00Z
                 */
                updatedBefore?: string;
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentPage"];
                };
            };
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Bookkeeper",
                 *       "customerId": "Customer:01a1f84e-cc35-73e8-b3e0-000000000001",
                 *       "policy": {
                 *         "permissions": [
                 *           "VIEW_TRANSACTIONS",
                 *           "CREATE_TRANSFERS",
                 *           "CREATE_QUOTES",
                 *           "EXECUTE_QUOTES",
                 *           "MANAGE_EXTERNAL_ACCOUNTS"
                 *         ],
                 *         "defaultExecutionMode": "APPROVAL_REQUIRED",
                 *         "spendingLimits": {
                 *           "currency": "USD",
                 *           "perTransactionLimit": 100000,
                 *           "dailyLimit": 500000
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AgentCreateRequest"];
            };
        };
        responses: {
            /** @description The agent and its device code. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAgent"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Agent:01a1f84e-cc35-73e8-b3e0-000000000001 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Agent:01a1f84e-cc35-73e8-b3e0-000000000002 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent is deleted; its payments stay readable. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Agent:01a1f84e-cc35-73e8-b3e0-000000000001 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Bookkeeper",
                 *       "isPaused": true
                 *     }
                 */
                "application/json": components["schemas"]["AgentChangeRequest"];
            };
        };
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    updateAgentPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Agent:01a1f84e-cc35-73e8-b3e0-000000000001 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "spendingLimits": {
                 *         "currency": "USD",
                 *         "perTransactionLimit": 100000,
                 *         "dailyLimit": 500000
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AgentPolicyChangeRequest"];
            };
        };
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    createDeviceCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Agent:01a1f84e-cc35-73e8-b3e0-000000000001 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The device code. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceCode"];
                };
            };
        };
    };
    getDeviceCodeStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example SVC-AGENT-EXAM-PLE2 */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceCodeStatus"];
                };
            };
        };
    };
    redeemDeviceCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Drawn at random by the client. After a lost answer the same redemption with the same key gives the same token, for a minute. */
                "Redemption-Key"?: string;
            };
            path: {
                /** @example SVC-AGENT-EXAM-PLE2 */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The access token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCredentials"];
                };
            };
        };
    };
    listAgentApprovals: {
        parameters: {
            query?: {
                /**
                 * @description Of this agent alone.
                 * @example Agent:01a1f84e-cc35-73e8-b3e0-000000000001
                 */
                agentId?: string;
                /**
                 * @description Of this customer alone.
                 * @example Customer:01a1f84e-cc35-73e8-b3e0-000000000001
                 */
                customerId?: string;
                /**
                 * @description Created then or later. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2026-01-01T00:00:00Z
                 */
                startDate?: string;
                /**
                 * @description Created then or earlier. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2036-01-01T00:00:00Z
                 */
                endDate?: string;
                /**
                 * @description By the time of creation: the newest first, or the oldest.
                 * @example desc
                 */
                sortOrder?: components["schemas"]["SortOrder"];
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of actions by creation time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentActionPage"];
                };
            };
        };
    };
    listAgentDecisions: {
        parameters: {
            query?: {
                /**
                 * @description Of this agent alone.
                 * @example Agent:01a1f84e-cc35-73e8-b3e0-000000000001
                 */
                agentId?: string;
                /**
                 * @description Of this customer alone.
                 * @example Customer:01a1f84e-cc35-73e8-b3e0-000000000001
                 */
                customerId?: string;
                /** @description With this status alone. */
                status?: components["schemas"]["AgentDecisionStatus"];
                /**
                 * @description Decided then or later. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2026-01-01T00:00:00Z
                 */
                decidedAfter?: string;
                /**
                 * @description Decided then or earlier. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2036-01-01T00:00:00Z
                 */
                decidedBefore?: string;
                /**
                 * @description By the time of creation: the newest first, or the oldest.
                 * @example desc
                 */
                sortOrder?: components["schemas"]["SortOrder"];
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of actions by creation time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentActionPage"];
                };
            };
        };
    };
    approveAgentAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Agent:01a1f84e-cc35-73e8-b3e0-000000000003 */
                agentId: string;
                /** @example AgentAction:01a1f84e-cc35-73e8-b3e0-000000000001 */
                actionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentAction"];
                };
            };
        };
    };
    rejectAgentAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Agent:01a1f84e-cc35-73e8-b3e0-000000000003 */
                agentId: string;
                /** @example AgentAction:01a1f84e-cc35-73e8-b3e0-000000000001 */
                actionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Not this month."
                 *     }
                 */
                "application/json": components["schemas"]["RejectAgentActionRequest"];
            };
        };
        responses: {
            /** @description The action. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentAction"];
                };
            };
        };
    };
    getAgentMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
        };
    };
    listAgentTransactions: {
        parameters: {
            query?: {
                /** @description The sender or the receiver. The id of an internal or external account, or a payment address, whose case does not count: that of a customer stands for all accounts it went by. */
                accountIdentifier?: string;
                /** @description The sender. The id of an internal or external account, or a payment address, whose case does not count: that of a customer stands for all accounts it went by. */
                senderAccountIdentifier?: string;
                /** @description The receiver. The id of an internal or external account, or a payment address, whose case does not count: that of a customer stands for all accounts it went by. */
                receiverAccountIdentifier?: string;
                /** @description With this status alone. */
                status?: components["schemas"]["TransactionStatus"];
                /** @description Of this type alone. */
                type?: components["schemas"]["TransactionType"];
                /** @description With this reference in reconciliationInstructions, in the same case. */
                reference?: string;
                /**
                 * @description Created then or later. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2026-01-01T00:00:00Z
                 */
                startDate?: string;
                /**
                 * @description Created then or earlier. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2036-01-01T00:00:00Z
                 */
                endDate?: string;
                /**
                 * @description By the time of creation: the newest first, or the oldest.
                 * @example desc
                 */
                sortOrder?: components["schemas"]["SortOrder"];
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transactions by creation time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionPage"];
                };
            };
        };
    };
    getAgentTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Transaction:01a1f84e-cc35-73e8-b3e0-000000000004 */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    createAgentQuote: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer to this key is the answer to every request with it, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "accountId": "InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000007"
                 *       },
                 *       "destination": {
                 *         "accountId": "ExternalAccount:01a1f84e-cc35-73e8-b3e0-000000000006"
                 *       },
                 *       "lockedCurrencySide": "SENDING",
                 *       "lockedCurrencyAmount": 2500,
                 *       "description": "Invoice 1815"
                 *     }
                 */
                "application/json": components["schemas"]["QuoteCreateRequest"];
            };
        };
        responses: {
            /** @description The quote. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
        };
    };
    getAgentQuote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Quote:01a1f84e-cc35-73e8-b3e0-000000000003 */
                quoteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quote. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
        };
    };
    executeAgentQuote: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer to this key is the answer to every request with it, for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The stamp over payloadToSign, by the key of a session of the wallet. */
                "Service-Wallet-Signature"?: string;
                /** @description Another name of Service-Wallet-Signature, as existing clients send it. */
                "Grid-Wallet-Signature"?: string;
            };
            path: {
                /** @example Quote:01a1f84e-cc35-73e8-b3e0-000000000003 */
                quoteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentAction"];
                };
            };
        };
    };
    agentTransferIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer to this key is the answer to every request with it, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "accountId": "ExternalAccount:01a1f84e-cc35-73e8-b3e0-000000000008"
                 *       },
                 *       "destination": {
                 *         "accountId": "InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000007"
                 *       },
                 *       "amount": 2500
                 *     }
                 */
                "application/json": components["schemas"]["TransferInRequest"];
            };
        };
        responses: {
            /** @description The action. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentAction"];
                };
            };
        };
    };
    agentTransferOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description The first answer to this key is the answer to every request with it, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "accountId": "InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000007"
                 *       },
                 *       "destination": {
                 *         "accountId": "ExternalAccount:01a1f84e-cc35-73e8-b3e0-000000000008"
                 *       },
                 *       "amount": 2500
                 *     }
                 */
                "application/json": components["schemas"]["TransferOutRequest"];
            };
        };
        responses: {
            /** @description The action. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentAction"];
                };
            };
        };
    };
    listAgentActions: {
        parameters: {
            query?: {
                /** @description With this status alone. */
                status?: components["schemas"]["AgentActionStatus"];
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of actions, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentActionPage"];
                };
            };
        };
    };
    getAgentAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example AgentAction:01a1f84e-cc35-73e8-b3e0-000000000002 */
                actionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentAction"];
                };
            };
        };
    };
    listAgentInternalAccounts: {
        parameters: {
            query?: {
                /** @description In this currency alone, by its code. */
                currency?: string;
                /** @description Of this type alone. */
                type?: components["schemas"]["InternalAccountType"];
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of accounts, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalAccountPage"];
                };
            };
        };
    };
    listAgentExternalAccounts: {
        parameters: {
            query?: {
                /** @description In this currency alone, by its code. */
                currency?: string;
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of accounts, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalAccountPage"];
                };
            };
        };
    };
    createAgentExternalAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "currency": "USD",
                 *       "accountInfo": {
                 *         "accountType": "USD_ACCOUNT",
                 *         "accountNumber": "1815121099789",
                 *         "routingNumber": "021000021",
                 *         "beneficiary": {
                 *           "beneficiaryType": "INDIVIDUAL",
                 *           "fullName": "Grace Hopper",
                 *           "countryOfResidence": "US"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ExternalAccountCreateRequest"];
            };
        };
        responses: {
            /** @description The account. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalAccount"];
                };
            };
        };
    };
    getAgentExternalAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ExternalAccount:01a1f84e-cc35-73e8-b3e0-000000000006 */
                externalAccountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalAccount"];
                };
            };
        };
    };
    deleteAgentExternalAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ExternalAccount:01a1f84e-cc35-73e8-b3e0-000000000007 */
                externalAccountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account is deleted; its payments stay readable. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listExchangeRates: {
        parameters: {
            query?: {
                /**
                 * @description From this currency alone.
                 * @example USD
                 */
                sourceCurrency?: string;
                /**
                 * @description To these currencies alone: the parameter once for each.
                 * @example EUR
                 */
                destinationCurrency?: string[] | string;
                /**
                 * @description What would be sent, in the smallest unit of each source currency.
                 * @example 2500
                 */
                sendingAmount?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One item per pair of currencies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExchangeRateList"];
                };
            };
        };
    };
    fundInternalAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000002 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 100000
                 *     }
                 */
                "application/json": components["schemas"]["FundRequest"];
            };
        };
        responses: {
            /** @description The account with its new balance. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalAccount"];
                };
            };
        };
    };
    sandboxSend: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "quoteId": "Quote:01a1f84e-cc35-73e8-b3e0-000000000002",
                 *       "currencyCode": "USD"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxSendRequest"];
            };
        };
        responses: {
            /** @description The transaction of the quote. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    sandboxReceive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "senderUmaAddress": "$success.usd@sandbox.daybook.test",
                 *       "receiverUmaAddress": "$ada@daybook.test",
                 *       "receivingCurrencyCode": "USD",
                 *       "receivingCurrencyAmount": 2500
                 *     }
                 */
                "application/json": components["schemas"]["SandboxReceiveRequest"];
            };
        };
        responses: {
            /** @description The incoming transaction. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    sandboxSetInternalAccountStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000003 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "FROZEN"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxInternalAccountStatusRequest"];
            };
        };
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalAccount"];
                };
            };
        };
    };
    sandboxSetExternalAccountStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ExternalAccount:01a1f84e-cc35-73e8-b3e0-000000000002 */
                externalAccountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "UNDER_REVIEW"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxExternalAccountStatusRequest"];
            };
        };
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalAccount"];
                };
            };
        };
    };
    sandboxOidcToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subject": "ada",
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxOidcTokenRequest"];
            };
        };
        responses: {
            /** @description The token, good for 60 seconds. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxOidcToken"];
                };
            };
        };
    };
    sandboxOidcConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As OpenID Connect Discovery has it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxOidcConfiguration"];
                };
            };
        };
    };
    sandboxOidcKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Web Key Set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxOidcKeys"];
                };
            };
        };
    };
    sandboxListEmails: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of mails, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxEmailPage"];
                };
            };
        };
    };
    sandboxGetClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clock. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
        };
    };
    sandboxFreezeClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["SandboxFreezeClockRequest"];
            };
        };
        responses: {
            /** @description The clock, which stands still. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
        };
    };
    sandboxAdvanceClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "duration": "PT1S"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxAdvanceClockRequest"];
            };
        };
        responses: {
            /** @description The clock, and the timers that have fired. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxAdvancedClock"];
                };
            };
        };
    };
    sandboxResumeClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clock, which runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
        };
    };
    sandboxListWebhooks: {
        parameters: {
            query?: {
                /** @description Of this type alone. */
                type?: components["schemas"]["WebhookType"];
                /** @description About what has this id, a payment for example. */
                objectId?: string;
                /** @description The place of the last one that you have seen. */
                after?: string;
                /** @description Waits so long for the first that matches. */
                waitSeconds?: number;
                /**
                 * @description The most items of the answer.
                 * @example 20
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The first of those that match; none when the time was up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxWebhookList"];
                };
            };
        };
    };
    sandboxStreamEvents: {
        parameters: {
            query?: {
                /** @description Begins after the event with this id; 0 for all. */
                after?: string;
                /** @description Ends after so many seconds. */
                seconds?: number;
            };
            header?: {
                /** @description What a client sends that comes back; it goes before after. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. Their data is JSON: `id`, `type`, `stream`, `metadata` and `data` of an event, as docs/reference/events.md has them. It is without `revision`, with its position as the id of what is sent. `metadata` is without `platformId`, `key`, `personal`, `hash` and `previousHash`, has `operator` as `actor` whoever of the operator it was, and has `correlationId` and `causationId` where a token or an agent of yours is the `actor`. What is of another platform is left out of `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    sandboxListOutcomes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxOutcomes"];
                };
            };
        };
    };
    sandboxListFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The faults. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxFaultList"];
                };
            };
        };
    };
    sandboxCreateFault: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "match": {
                 *         "operationId": "transferOut",
                 *         "percent": 50
                 *       },
                 *       "effect": {
                 *         "kind": "DROP",
                 *         "when": "AFTER"
                 *       },
                 *       "times": 1,
                 *       "lasts": "PT1H"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxFaultRequest"];
            };
        };
        responses: {
            /** @description The fault. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxFault"];
                };
            };
        };
    };
    sandboxDeleteFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Fault:01a1f84e-cc35-73e8-b3e0-000000000001 */
                faultId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sandboxListSnapshots: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshots. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxSnapshotList"];
                };
            };
        };
    };
    sandboxCreateSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "before the payments"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxSnapshotRequest"];
            };
        };
        responses: {
            /** @description The snapshot. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxSnapshot"];
                };
            };
        };
    };
    sandboxDeleteSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Snapshot:01a1f84e-cc35-73e8-b3e0-000000000001 */
                snapshotId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sandboxRestoreSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Snapshot:01a1f84e-cc35-73e8-b3e0-000000000001 */
                snapshotId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshot that your platform is at. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxSnapshot"];
                };
            };
        };
    };
    sendTestWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the endpoint answered, whatever its status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestResult"];
                };
            };
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: {
                /** @description Of this type alone. */
                type?: components["schemas"]["WebhookType"];
                /** @description About what has this id, a payment for example. */
                objectId?: string;
                /** @description In this state alone. */
                state?: components["schemas"]["WebhookState"];
                /**
                 * @description Created then or later. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2026-01-01T00:00:00Z
                 */
                createdAfter?: string;
                /**
                 * @description Created then or earlier. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2036-01-01T00:00:00Z
                 */
                createdBefore?: string;
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEventPage"];
                };
            };
        };
    };
    getWebhookEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Webhook:01a1f84e-cc35-73e8-b3e0-000000000001 */
                webhookEventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEventWithAttempts"];
                };
            };
        };
    };
    redeliverWebhookEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Webhook:01a1f84e-cc35-73e8-b3e0-000000000001 */
                webhookEventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event, which is pending now. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEvent"];
                };
            };
        };
    };
    redeliverWebhookEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-01-31T09:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["RedeliverWebhooksRequest"];
            };
        };
        responses: {
            /** @description How many are sent again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhooksRedelivered"];
                };
            };
        };
    };
    getWebhookKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookKeyList"];
                };
            };
        };
    };
    rotateWebhookKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Both generations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookKeyList"];
                };
            };
        };
    };
    getBalanceAt: {
        parameters: {
            query?: {
                /** @description The moment. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends. */
                at?: string;
                /** @description Whether a moment is that at which something was recorded, or that at which it happened. */
                clock?: components["schemas"]["AuditClock"];
            };
            header?: never;
            path: {
                /** @example InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000002 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceAt"];
                };
            };
        };
    };
    getStatement: {
        parameters: {
            query?: {
                /**
                 * @description The first moment. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2026-01-01T00:00:00Z
                 */
                from?: string;
                /**
                 * @description The last moment. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2036-01-01T00:00:00Z
                 */
                to?: string;
                /** @description Whether a moment is that at which something was recorded, or that at which it happened. */
                clock?: components["schemas"]["AuditClock"];
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000002 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the statement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                };
            };
        };
    };
    getTrialBalanceAt: {
        parameters: {
            query?: {
                /** @description The moment. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends. */
                at?: string;
                /** @description Whether a moment is that at which something was recorded, or that at which it happened. */
                clock?: components["schemas"]["AuditClock"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One line per currency. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrialBalanceList"];
                };
            };
        };
    };
    getCustomerHistory: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example Customer:01a1f84e-cc35-73e8-b3e0-000000000001 */
                customerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
        };
    };
    getInternalAccountHistory: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example InternalAccount:01a1f84e-cc35-73e8-b3e0-000000000002 */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
        };
    };
    getExternalAccountHistory: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example ExternalAccount:01a1f84e-cc35-73e8-b3e0-000000000001 */
                externalAccountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
        };
    };
    getTransactionHistory: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example Transaction:01a1f84e-cc35-73e8-b3e0-000000000001 */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
        };
    };
    getAgentHistory: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example Agent:01a1f84e-cc35-73e8-b3e0-000000000001 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
        };
    };
    listCheckpoints: {
        parameters: {
            query?: {
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of checkpoints. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkpoints"];
                };
            };
        };
    };
    getProof: {
        parameters: {
            query?: {
                /** @description The stream of the event. Only beside revision. */
                stream?: string;
                /** @description The number of the event in its stream, from 0. Only beside stream. */
                revision?: number;
                /** @description The number of events of the smaller tree. */
                from?: number;
                /** @description The number of events of the tree. */
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Proof"];
                };
            };
        };
    };
    getConsoleSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the cookie does not count. */
                "X-Daybook-Console"?: "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSession"];
                };
            };
        };
    };
    createConsoleSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "daybook-rtu4NfgLA1ZR",
                 *       "clientSecret": "the-secret-of-the-token"
                 *     }
                 */
                "application/json": components["schemas"]["ConsoleSessionCreateRequest"];
            };
        };
        responses: {
            /** @description The session. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleSession"];
                };
            };
        };
    };
    deleteConsoleSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Without it the cookie does not count. */
                "X-Daybook-Console"?: "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nobody is signed in by this cookie. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listConsoleRequests: {
        parameters: {
            query?: {
                /** @description With this method alone. */
                method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | "HEAD";
                /** @description Of this operation alone. */
                operationId?: string;
                /** @description Answered with this status alone. */
                status?: number;
                /** @description Answered with this status or a greater one. */
                minStatus?: number;
                /** @description With this key alone, in the same case. */
                idempotencyKey?: string;
                /** @description The one with this id. */
                requestId?: string;
                /** @description An id that stands in the path, the query, or an answer that is no list. */
                resourceId?: string;
                /** @description Part of the path, operation, status, code, key, or of an id. */
                search?: string;
                /**
                 * @description Created then or later. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2026-01-01T00:00:00Z
                 */
                createdAfter?: string;
                /**
                 * @description Created then or earlier. A moment with any offset, inclusive, or a bare date, which is that day in UTC: from its beginning where a period begins, to its end where one ends.
                 * @example 2036-01-01T00:00:00Z
                 */
                createdBefore?: string;
                /**
                 * @description The most items of a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The nextCursor of the page before, with the same filters and order. The first page without it. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of requests, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedRequestPage"];
                };
            };
        };
    };
    getConsoleRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Request:01a1f84e-cc35-73e8-b3e0-000000000001 */
                requestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedRequestWithBodies"];
                };
            };
        };
    };
    watchTransactions: {
        parameters: {
            query?: {
                /** @description Ends after so many seconds. */
                seconds?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    getTransactionLife: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example Transaction:01a1f84e-cc35-73e8-b3e0-000000000001 */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its life so far. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionLife"];
                };
            };
        };
    };
    searchById: {
        parameters: {
            query: {
                /**
                 * @description An id of the interface, or a uuid alone.
                 * @example Transaction:01a1f84e-cc35-73e8-b3e0-000000000001
                 */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Found"];
                };
            };
        };
    };
    getConsoleHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The points. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleHealth"];
                };
            };
        };
    };
}
