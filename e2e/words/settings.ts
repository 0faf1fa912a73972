/** The words of the settings, by language. */
export const SETTINGS = {
  fr: {
    hidePlans: 'Masquer les forfaits',
    appLanguage: 'Langue de l’application',
    signOutEverywhere: 'Se déconnecter partout',
    deleteAccount: 'Supprimer mon compte…',
    deleteForGood: 'Supprimer définitivement',
    understood: 'Je comprends que c’est définitif',
    accountDeleted: 'Votre compte est supprimé.',
    arrivalChoice: 'Arrivée prévue d’un transfert',
    versionChoice: 'Nouvelle version de l’application',
    noted: 'C’est noté',
    viewPlans: 'Voir les forfaits',
  },
  en: {
    hidePlans: 'Hide plans',
    appLanguage: 'Language of the app',
    signOutEverywhere: 'Sign out everywhere',
    deleteAccount: 'Delete my account…',
    deleteForGood: 'Delete for good',
    understood: 'I understand that this is final',
    accountDeleted: 'Your account is deleted.',
    arrivalChoice: 'Expected arrival of a transfer',
    versionChoice: 'New version of the app',
    noted: 'Got it',
    viewPlans: 'View plans',
  },
} as const
