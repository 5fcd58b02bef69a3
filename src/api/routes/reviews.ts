import {
  calibration,
  calibrationQuery,
  labelsQuery,
  review,
  reviewBody,
  reviews,
  reviewsQuery,
} from '../resources/review.ts';
import { read, write, type Route } from '../route.ts';

/** What people say of trials. */
export const reviewRoutes = {
  listReviews: read({
    path: '/runs/{run}/trials/{trial}/reviews',
    summary: 'All reviews of a trial, oldest first',
    query: reviewsQuery,
    answer: reviews,
    needs: 'store',
  }),
  addReview: write({
    method: 'POST',
    path: '/runs/{run}/trials/{trial}/reviews',
    summary: 'Add your own review; your last review of an expectation counts',
    body: reviewBody,
    status: 201,
    answer: review,
    tagged: true,
  }),
  listLabels: {
    method: 'GET',
    path: '/reviews',
    summary: 'Current reviews, as labels for `assay calibrate`',
    query: labelsQuery,
    status: 200,
    sends: 'file',
    needs: 'store',
  },
  getCalibration: read({
    path: '/runs/{run}/calibration',
    summary: 'How well the graders of a run agree with its reviews',
    query: calibrationQuery,
    answer: calibration,
    needs: 'store',
  }),
} as const satisfies Readonly<Record<string, Route>>;
