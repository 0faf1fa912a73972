/** Where the value of each setting is found. */
const SOURCES: Readonly<Record<string, string>> = {
  FIREBASE_PROJECT_ID: 'Firebase console, Project settings, General: the project ID.',
  FIREBASE_STORAGE_BUCKET: 'Firebase console, Storage: the name of the bucket, without gs://.',
  FIREBASE_SERVICE_ACCOUNT:
    'Firebase console, Project settings, Service accounts, Generate new private key: the whole JSON text of the file.',
  STRIPE_SECRET_KEY:
    'Stripe, Developers, API keys: the secret key of the mode that the other settings are of.',
  STRIPE_WEBHOOK_SECRET: "Stripe, Developers, Webhooks, the endpoint's signing secret.",
  DELIVERY_PROVIDERS: "Who pays transfers out, such as 'mtn,byHand'; empty for nobody.",
  MTN_API_BASE: "MTN's address, https://proxy.momoapi.mtn.com in production.",
  MTN_TARGET_ENVIRONMENT: "What MTN calls the country's service: mtnguineaconakry.",
  MTN_SUBSCRIPTION_KEY: "MTN's developer portal, Profile: the primary key of the product Disbursements.",
  MTN_API_USER: "MTN's partner portal, API users: the UUID of the user for Disbursements.",
  MTN_API_KEY: "MTN's partner portal, API users: the key that was made for MTN_API_USER.",
  MTN_CALLBACK_URL:
    "The deployment's own https address, with /.netlify/functions/delivery-callback behind it; its host is registered with MTN.",
  VITE_VAPID_PUBLIC_KEY: "The public key that 'npx web-push generate-vapid-keys' made.",
  VAPID_PRIVATE_KEY: 'The private key that was made together with VITE_VAPID_PUBLIC_KEY.',
  VAPID_SUBJECT: 'Whom push services can turn to: mailto: with an address, or an https address.',
  VITE_MTN_LONGEST_MINUTES:
    'How long MTN may take, in minutes, as the form promises it; empty for nothing promised. Only while MTN pays.',
  VITE_BY_HAND_LONGEST_MINUTES:
    'How long people who pay by hand may take, in minutes; empty for nothing promised.',
  VITE_HOLDER_NAMES:
    "'on' lets people ask whose wallet a number is, ten a day; empty for not. Only where MTN pays.",
  VITE_FIREBASE_PROJECT_ID: 'The same as FIREBASE_PROJECT_ID.',
  VITE_FIREBASE_API_KEY: 'Firebase console, Project settings, General, Your apps: apiKey.',
  VITE_FIREBASE_AUTH_DOMAIN: 'Firebase console, Project settings, General, Your apps: authDomain.',
  VITE_FIREBASE_STORAGE_BUCKET: 'The same as FIREBASE_STORAGE_BUCKET.',
  VITE_STRIPE_PUBLISHABLE_KEY:
    'Stripe, Developers, API keys: the publishable key of the same mode as STRIPE_SECRET_KEY.',
  VITE_SUPPORT_PHONE: 'The number of the support with its country: +33199001234.',
  VITE_SUPPORT_EMAIL: 'The address of the support.',
  VITE_SUPPORT_CHAT_URL: 'The https address of the page on which the support chats.',
  VITE_OPERATOR_NAME: 'The name of who provides the service, as in its licence.',
  VITE_OPERATOR_LICENCE: 'The kind and the number of the licence to provide payments.',
  VITE_OPERATOR_SUPERVISOR: 'The authority that gave the licence.',
  VITE_OPERATOR_ADDRESS: 'The address of the head office.',
  VITE_COMPLAINTS_EMAIL: 'The address that complaints are sent to.',
}

/** What to do about a setting that is missing or wrong. */
export function remedyOf(setting: string): string {
  return (
    SOURCES[setting] ??
    `Take ${setting} out of the settings of the deployment: it is for emulators and sandboxes.`
  )
}
