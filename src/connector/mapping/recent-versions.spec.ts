import { describe, expect, it } from '@jest/globals';
import { toInstallationId } from '../../kernel/ids.js';
import type { MappingVersion } from './domain/mapping.js';
import { RecentVersions } from './recent-versions.js';

const ONE = toInstallationId('0198c5a0-0000-7000-8000-000000000001');
const OTHER = toInstallationId('0198c5a0-0000-7000-8000-000000000002');

function versionOf(version: number, rules: number): MappingVersion {
  return { version, rules: Array.from({ length: rules }) } as unknown as MappingVersion;
}

describe('recently read versions', () => {
  it('are found by company and number', () => {
    const recent = new RecentVersions();
    const ofOne = versionOf(1, 2);
    recent.add(ONE, ofOne);
    expect(recent.find(ONE, 1)).toBe(ofOne);
    expect(recent.find(OTHER, 1)).toBeUndefined();
    expect(recent.find(ONE, 2)).toBeUndefined();
  });

  it('are evicted in the order of last use when there are too many rules', () => {
    const recent = new RecentVersions();
    [1, 2, 3].forEach((version) => {
      recent.add(ONE, versionOf(version, 16_000));
    });
    expect(recent.find(ONE, 1)).toBeDefined();
    recent.add(OTHER, versionOf(1, 16_000));
    expect([1, 2, 3].map((version) => recent.find(ONE, version) !== undefined)).toEqual([true, false, true]);
    expect(recent.find(OTHER, 1)).toBeDefined();
  });

  it('include one with the maximum number of rules', () => {
    const recent = new RecentVersions();
    const largest = versionOf(1, 50_000);
    recent.add(ONE, largest);
    expect(recent.find(ONE, 1)).toBe(largest);
  });

  it('are bounded in number where they have no rules', () => {
    const recent = new RecentVersions();
    for (let version = 1; version <= 1_002; version += 1) {
      recent.add(ONE, versionOf(version, 0));
    }
    expect(recent.find(ONE, 1)).toBeUndefined();
    expect(recent.find(ONE, 2)).toBeDefined();
  });

  it('exclude one that is too large, and keep the others', () => {
    const recent = new RecentVersions();
    recent.add(ONE, versionOf(1, 10));
    recent.add(ONE, versionOf(2, 50_001));
    expect(recent.find(ONE, 2)).toBeUndefined();
    expect(recent.find(ONE, 1)).toBeDefined();
  });
});
