import { beforeEach, describe, expect, it } from '@jest/globals';
import { keepFormsOf } from './kept-forms.js';

/** As a browser has it: entries are its own properties. */
class Kept {
  getItem(key: string): string | null {
    return (Reflect.get(this, key) as string | undefined) ?? null;
  }
  setItem(key: string, value: string): void {
    Reflect.set(this, key, value);
  }
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key);
  }
}

describe('what a tab keeps of forms', () => {
  let kept: Storage;
  const names = () => Object.keys(kept).sort();

  beforeEach(() => {
    kept = Object.assign(new Kept(), {
      '/app form issue account:6475': '{"target":"6440"}',
      '/app/sample form policies': '{}',
      'reloaded at': '1',
    }) as unknown as Storage;
    keepFormsOf('company 1, person 1', '/app form ', kept);
  });

  it('stays through a new sign-in of the same person to the same company', () => {
    keepFormsOf('company 1, person 1', '/app form ', kept);
    expect(kept.getItem('/app form issue account:6475')).toBe('{"target":"6440"}');
  });

  it.each(['company 2, person 1', 'company 1, person 2'])('is gone for %s, and nothing else is', (owner) => {
    keepFormsOf(owner, '/app form ', kept);
    expect(names()).toEqual(['/app form owner', '/app/sample form policies', 'reloaded at']);
  });
});
