const OWNER = 'owner';

/**
 * Forgets the forms that a tab has kept for another person or company: who signs in there next would save what is not theirs.
 * @param prefix of the keys of forms
 * @param owner of the forms from now on
 */
export function keepFormsOf(owner: string, prefix: string, storage: Storage): void {
  const known = storage.getItem(`${prefix}${OWNER}`);
  if (known === owner) {
    return;
  }
  if (known !== null) {
    Object.keys(storage)
      .filter((key) => key.startsWith(prefix))
      .forEach((key) => {
        storage.removeItem(key);
      });
  }
  storage.setItem(`${prefix}${OWNER}`, owner);
}
