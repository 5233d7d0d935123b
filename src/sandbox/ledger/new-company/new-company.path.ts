/** Of the form and of where it is sent. */
export const NEW_COMPANY_PATH = '/new-company';
