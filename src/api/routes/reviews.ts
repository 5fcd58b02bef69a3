import {
  calibration,
  calibrationQuery,
  labelsQuery,
  review,
  reviewBody,
  reviews,
  reviewsQuery,
} from '../resources/review.ts';
import { create, download, readStore, type Route } from '../route.ts';

/** What people say of trials. */
export const reviewRoutes = {
  listReviews: readStore({
    path: '/runs/{run}/trials/{trial}/reviews',
    summary: 'All reviews of a trial, oldest first',
    query: reviewsQuery,
    answer: reviews,
  }),
  addReview: create({
    path: '/runs/{run}/trials/{trial}/reviews',
    summary: 'Add your own review; your last review of an expectation counts',
    body: reviewBody,
    answer: review,
    tagged: true,
  }),
  listLabels: download({
    path: '/reviews',
    summary: 'Current reviews, as labels for `assay calibrate`',
    query: labelsQuery,
    needs: 'store',
  }),
  getCalibration: readStore({
    path: '/runs/{run}/calibration',
    summary: 'How well the graders of a run agree with its reviews',
    query: calibrationQuery,
    answer: calibration,
  }),
} as const satisfies Readonly<Record<string, Route>>;
